// What one market move says.
import { difference, isAbove, percentChange, unsigned } from '../../../domain/figures/decimal.js';
import { frequencyOf } from '../../../domain/figures/periods.js';
import { unitNamed } from '../../../domain/figures/units.js';
import { formatPeriod, formatPeriodBeside, formatWhen } from '../../../domain/locale/format.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { priceMoveWords, sentenceName } from '../../derive/move-texts.js';
import { BRIEF_TEMPLATES } from './brief-templates.js';
import type { ToldChange } from './told-change.js';

/**
 * The first of a sentence names its day and what it is compared with. The others, and titles, leave out the day, which
 * has been named; the average of a month names the month. `null` without figures.
 */
export function moveIn(
  locale: Locale,
  form: 'title' | 'first' | 'sentence',
  change: ToldChange,
): string | null {
  const { instrumentName: name, unit, currency, period, actual, previous, previousPeriod } = change;
  if (name === null || unit === null || period === null || actual === null || previous === null) return null;
  const percent = percentOf(change);
  const words = priceMoveWords(locale, { name, unit, currency, actual, previous, percent });
  const { move } = BRIEF_TEMPLATES[locale].clause;
  const subject = sentenceName(locale, name, unit, currency);
  const ofMonth = frequencyOf(period) === 'M';
  const named = ofMonth || form === 'first';
  const day = named ? formatPeriod(locale, period) : '';
  return move[isRate(change) ? 'rate' : 'price'][isAbove(actual, previous) ? 'up' : 'down'][form]({
    ...words,
    // Only the euro and yields have an article: Brent keeps its capital. A Chinese title names the rate, not the pair.
    name:
      form === 'title' && locale !== 'zh'
        ? words.name.replace(/^The e/, 'E')
        : subject.replace(/^(?:The|Spot) /, (word) => word.toLowerCase()),
    actual: words.alone,
    before: formatPeriodBeside(locale, previousPeriod ?? period, period),
    period: form === 'first' || locale !== 'ja' || day === '' ? day : `${day}の`,
    when: named ? ` ${formatWhen(locale, period)}` : '',
  });
}

/** How large a move is beside others of its kind: in percent of a price, in points of a rate. */
export function sizeOf(change: ToldChange): number {
  const { actual, previous } = change;
  if (actual === null || previous === null) return 0;
  return Number(unsigned(percentOf(change) ?? difference(actual, previous)));
}

/** Yields move by points, and prices in percent. */
export const isRate = ({ unit }: ToldChange): boolean =>
  unit !== null && unitNamed(unit).dimension === 'ratio';

function percentOf(change: ToldChange): string | null {
  const { actual, previous } = change;
  return actual === null || previous === null || isRate(change) ? null : percentChange(previous, actual);
}
