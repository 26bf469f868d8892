import type { ParameterFaults } from '../../../domain/errors/parameter-faults.js';
import { firstDayOf, lastDayOf, periodsWithin, type Frequency } from '../../../domain/figures/periods.js';
import { formatDay, formatPeriod } from '../../../domain/locale/format.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { Texts } from '../../../domain/locale/texts.service.js';
import type { Read } from '../../../store/snapshots.js';
import type { RequestContext } from '../../responses/request-context.js';
import type { ChangedPeriods } from '../links.schema.js';
import { EARLIEST, LATEST, requirePast, requirePeriodOrder } from '../parameters.schema.js';
import { firstVintageAfter, type PeriodSpan, type SeriesCondition } from './point.rows.js';

/** Of series: from the first period to the last, as known at the end of a day. */
export interface SeriesWindow {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly asOf?: string | undefined;
}

/** Checks that a window does not end before it begins, nor lie in the future. */
export async function checkWindow(
  faults: ParameterFaults,
  { from, to, asOf }: SeriesWindow,
  { today }: RequestContext,
): Promise<void> {
  await faults.check(['asOf'], () => requirePast('asOf', asOf, today));
  await faults.check(['from', 'to'], () => requirePeriodOrder(from, to));
}

/** The periods of a frequency in a window. */
export const periodSpanOf = ({ from = EARLIEST, to = LATEST }: SeriesWindow, frequency: Frequency): PeriodSpan =>
  periodsWithin(from, to, frequency);

/** The changed periods within a span; an empty span if nothing changed. */
export function within([first, last]: PeriodSpan, changed: ChangedPeriods | null): PeriodSpan {
  if (changed === null) return ['', ''];
  return [first > changed.from ? first : changed.from, last < changed.to ? last : changed.to];
}

/** Of periods without figures: the nearest that have some, by the day on which each ends. */
export const nearestEnds = (near: { readonly before: string | null; readonly after: string | null }) => ({
  before: near.before === null ? null : lastDayOf(near.before),
  after: near.after === null ? null : lastDayOf(near.after),
});

/** For figures that begin in a later year than the span: a notice that names them. */
export function beginningNotice(
  { from }: SeriesWindow,
  first: string | null | undefined,
  name: string,
  { texts, locale }: { readonly texts: Texts; readonly locale: Locale },
): string[] {
  if (from === undefined || first == null) return [];
  if (firstDayOf(first).slice(0, 4) <= firstDayOf(from).slice(0, 4)) return [];
  return [texts.say(locale, 'resources.begins', { name, period: formatPeriod(locale, first) })];
}

/** For series without figures as of a day: a notice with the day of their first vintage, if it is later. */
export async function firstVintageNotice(
  read: Read,
  series: SeriesCondition,
  asOf: string | undefined,
  texts: Texts,
  { locale }: RequestContext,
): Promise<string[]> {
  const first = asOf === undefined ? null : await firstVintageAfter(read, series, asOf);
  return first === null ? [] : [texts.say(locale, 'resources.before_held', { day: formatDay(locale, first) })];
}
