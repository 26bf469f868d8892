// Several moves of the euro in one clause, the largest first.
import { currencyName } from '../../../figures/currencies.js';
import { isAbove } from '../../../figures/decimal.js';
import { percentText, writeFigures } from '../../../figures/figure-text.js';
import { formatPeriod, formatWhen } from '../../../locale/format.js';
import type { Locale } from '../../../locale/locale.js';
import { BRIEF_TEMPLATES } from './brief-templates.js';
import { sizeOf } from './move-clause.js';
import type { ToldChange } from './told-change.js';
import { listIn } from './wording.js';

/** A daily move of the euro against one currency. */
export interface PairMove extends ToldChange {
  readonly currency: string;
  readonly period: string;
  readonly actual: string;
  readonly previous: string;
}

export const isPairMove = (change: ToldChange): change is PairMove =>
  change.kind === 'move' &&
  change.unit === 'currency_per_eur' &&
  [change.currency, change.period, change.actual, change.previous].every((part) => part !== null);

const isUp = ({ actual, previous }: PairMove): boolean => isAbove(actual, previous);

/** The moves in the direction of one, the largest first. */
export const movedAlike = (one: PairMove, changes: readonly ToldChange[]): PairMove[] =>
  changes
    .filter(isPairMove)
    .filter((other) => isUp(other) === isUp(one))
    .sort((a, b) => sizeOf(b) - sizeOf(a));

/** @param moves in one direction on one day; at least one */
export function pairMovesIn(
  locale: Locale,
  form: 'title' | 'first' | 'sentence',
  moves: readonly [PairMove, ...PairMove[]],
): string {
  const { pairs, before } = BRIEF_TEMPLATES[locale].clause;
  const way = isUp(moves[0]) ? 'up' : 'down';
  const items = moves.map(({ currency, actual, previous, ...move }, at) => {
    const { full, beside } = writeFigures(locale, { unit: 'currency_per_eur', currency }, [actual, previous]);
    return pairs.item[way]({
      currency: currencyName(currency)[locale],
      size: percentText(locale, String(sizeOf({ ...move, currency, actual, previous }))),
      // The first says of what the rate is; an English sentence has named both currencies.
      actual: (at === 0 && locale !== 'en' ? full : beside)[0] ?? '',
    });
  });
  const { period } = moves[0];
  return pairs[way][form]({
    list: locale === 'en' ? listIn(locale, items) : items.join(locale === 'zh' ? '，' : '、'),
    when: formatWhen(locale, period),
    period: formatPeriod(locale, period),
    before: before.day({}),
  });
}
