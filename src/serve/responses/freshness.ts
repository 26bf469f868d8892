import { lastDayOf } from '../../domain/figures/periods.js';
import { formatDay, formatPeriod } from '../../domain/locale/format.js';
import type { Locale } from '../../domain/locale/locale.js';
import type { Texts } from '../../domain/locale/texts.service.js';
import type { Citations, NotedAge } from '../../domain/sources/citations.js';
import type { SourceAttribution } from '../../domain/sources/source.schema.js';
import type { Freshness } from './result.js';

/** The period that ends last; of those that end on one day, the shortest. */
export function newestOf(periods: ReadonlySet<string>): string | null {
  let newest: string | null = null;
  let [end, length] = ['', 0];
  for (const period of periods) {
    const last = lastDayOf(period);
    if (last < end || (last === end && period.length <= length)) continue;
    [newest, end, length] = [period, last, period.length];
  }
  return newest;
}

/** Undefined for a response without series, quotes and briefs. */
export function freshnessOf(
  { ages }: Citations,
  newestPeriod: string | null,
  sources: readonly SourceAttribution[],
): Freshness | undefined {
  if (ages.length === 0) return undefined;
  const retrieved = sources.flatMap(({ retrievedAt }) => (retrievedAt === null ? [] : [retrievedAt]));
  const current = ages.filter(({ expectedBy }) => expectedBy !== null);
  return {
    newestPeriod,
    retrievedAt: retrieved.sort().at(-1) ?? null,
    stale: current.length > 0 && current.every(({ stale }) => stale),
  };
}

/**
 * Says since when a newer figure is expected than that of the series which ends last, or that all have ended. Prices of a
 * past span are complete, while figures of an indicator may be restated; a series that waits for a review has not ended.
 */
export function ageNotice(
  cited: Citations,
  waiting: ReadonlyMap<string, unknown>,
  texts: Texts,
  locale: Locale,
): string[] {
  const newestShown = newestOf(cited.periods);
  const isPast = (age: NotedAge) => newestShown !== null && isPrice(age) && endOf(age) > lastDayOf(newestShown);
  const ages = cited.ages.filter((age) => !isPast(age));
  const [last, ...others] = [...ages].sort(newestFirst);
  if (last?.newest != null && [last, ...others].every(hasEnded))
    return ages.some(({ series = '' }) => waiting.has(series))
      ? []
      : [texts.say(locale, 'resources.ended', { period: formatPeriod(locale, last.newest) })];
  if (!ages.every(({ stale, expectedBy }) => stale || expectedBy === null)) return [];
  const [newest] = ages.filter(({ stale }) => stale).sort(newestFirst);
  if (newest?.newest == null || newest.expectedBy === null) return [];
  const period = formatPeriod(locale, newest.newest);
  const day = formatDay(locale, newest.expectedBy.slice(0, 10));
  return [texts.say(locale, 'resources.overdue', { period, day })];
}

/** A brief has no series, and those of indicators name an economy. */
const isPrice = ({ series }: NotedAge): boolean => series?.includes('@') === false;

const hasEnded = ({ newest, expectedBy }: NotedAge): boolean => newest !== null && expectedBy === null;

const newestFirst = (a: NotedAge, b: NotedAge): number => endOf(b).localeCompare(endOf(a));

const endOf = ({ newest }: NotedAge): string => (newest === null ? '' : lastDayOf(newest));
