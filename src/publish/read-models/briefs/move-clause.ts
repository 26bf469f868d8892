// What one market move says.
import { difference, isAbove, percentChange, unsigned } from '../../../domain/figures/decimal.js';
import { frequencyOf } from '../../../domain/figures/periods.js';
import { unitNamed } from '../../../domain/figures/units.js';
import { formatPeriod, formatPeriodBeside, formatWhen } from '../../../domain/locale/format.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { priceMoveWords, sentenceName } from '../../derive/moves/move-texts.js';
import { SENTENCES, VOICES } from '../../../domain/locale/voice/voices.js';
import type { MentionedChange } from './mentioned-change.js';

/** A step of an instrument's price: of a move, or of a day that was not unusual for it. */
export type OrdinaryStep = Pick<
  MentionedChange,
  'instrumentName' | 'unit' | 'currency' | 'period' | 'actual' | 'previous' | 'previousPeriod'
>;

/**
 * The first of a sentence names its day and what it is compared with. The others, and titles, leave out the day, which
 * has been named; the average of a month names the month. `null` without figures.
 */
export function moveIn(locale: Locale, form: 'title' | 'first' | 'sentence', change: OrdinaryStep): string | null {
  const { instrumentName: name, unit, currency, period, actual, previous, previousPeriod } = change;
  if (name === null || unit === null || period === null || actual === null || previous === null) return null;
  const percent = percentOf(change);
  const words = priceMoveWords(locale, { name, unit, currency, actual, previous, percent });
  const { move } = SENTENCES[locale].briefs.clause;
  const subject = sentenceName(locale, name, unit, currency);
  const paired = unit === 'currency_per_eur' && VOICES[locale].market.against !== null;
  const ofMonth = frequencyOf(period) === 'M';
  const named = ofMonth || form === 'first';
  const day = named ? formatPeriod(locale, period) : '';
  return move[isRate(change) ? 'rate' : 'price'][isAbove(actual, previous) ? 'up' : 'down'][form]({
    ...words,
    // Only the euro and yields have an article: Brent keeps its capital.
    name:
      form === 'title' && !VOICES[locale].market.rateInTitle
        ? words.name.replace(/^The e/, 'E')
        : (form === 'sentence' && paired ? words.name : subject).replace(/^(?:The|Spot) /, (word) =>
            word.toLowerCase(),
          ),
    actual: words.alone,
    before: formatPeriodBeside(locale, previousPeriod ?? period, period),
    period: form === 'first' ? day : VOICES[locale].period.of(day),
    when: named ? ` ${formatWhen(locale, period)}` : '',
  });
}

/** How large a move is beside others of its kind: in percent of a price, in points of a rate. */
export function sizeOf(change: OrdinaryStep): number {
  const { actual, previous } = change;
  if (actual === null || previous === null) return 0;
  return Number(unsigned(percentOf(change) ?? difference(actual, previous)));
}

/** Yields move by points, and prices in percent. */
export const isRate = ({ unit }: Pick<MentionedChange, 'unit'>): boolean =>
  unit !== null && unitNamed(unit).dimension === 'ratio';

function percentOf(change: OrdinaryStep): string | null {
  const { actual, previous } = change;
  return actual === null || previous === null || isRate(change) ? null : percentChange(previous, actual);
}
