import { lastDayOf } from '../figures/periods.js';
import { computed, HUNDRED, type Sequence, type Term } from './sequence.js';

/**
 * Growth rates chained to levels, each that of the period before and its own rate: from 100 in the first period of the unbroken
 * rates that `base`, by default the first rate, is among. No level lies beyond a missing rate.
 */
export function chained(rates: Sequence, base: string | undefined): Sequence {
  const origin = rates.findIndex(({ period, value }) =>
    base === undefined ? value !== null : lastDayOf(period) >= lastDayOf(base),
  );
  const start = rates.slice(0, Math.max(origin, 0)).findLastIndex(({ value }) => value === null) + 1;
  let level: Term | undefined;
  return rates.map((rate, at) => {
    if (at < start) return computed([rate], rate.period, null, () => null);
    level = computed(level === undefined ? [rate] : [rate, level], rate.period, null, ([percent, before]) =>
      before === undefined || percent === undefined
        ? HUNDRED
        : before.times(HUNDRED.plus(percent)).over(HUNDRED),
    );
    return level;
  });
}
