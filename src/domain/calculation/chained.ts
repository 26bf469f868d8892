import { lastDayOf, previousPeriod } from '../figures/periods.js';
import { computed, HUNDRED, type Sequence, type Term } from './sequence.js';

/**
 * Growth rates chained to levels, each that of the period before and its own rate. Without a base, the level of the period before
 * the first rate is 100 and comes first, so that no rate is lost. With one, levels begin with the unbroken rates that the base is
 * among. No level lies beyond a missing rate.
 */
export function chained(rates: Sequence, base: string | undefined): Sequence {
  const origin = rates.findIndex(({ period, value }) =>
    base === undefined ? value !== null : lastDayOf(period) >= lastDayOf(base),
  );
  const first = rates[origin];
  if (base === undefined && first !== undefined) {
    const before = computed([first], previousPeriod(first.period), null, () => HUNDRED);
    return [before, ...chainedFrom(before, rates.slice(origin))];
  }
  const start = rates.slice(0, Math.max(origin, 0)).findLastIndex(({ value }) => value === null) + 1;
  const absent = rates.slice(0, start).map((rate) => computed([rate], rate.period, null, () => null));
  return [...absent, ...chainedFrom(undefined, rates.slice(start))];
}

function chainedFrom(before: Term | undefined, rates: Sequence): Term[] {
  let level = before;
  return rates.map((rate) => {
    level = computed(level === undefined ? [rate] : [rate, level], rate.period, null, ([percent, last]) =>
      last === undefined || percent === undefined ? HUNDRED : last.times(HUNDRED.plus(percent)).over(HUNDRED),
    );
    return level;
  });
}
