import type { ParameterFaults } from '../../../domain/errors/parameter-faults.js';
import { periodsWithin, type Frequency } from '../../../domain/figures/periods.js';
import type { RequestContext } from '../../responses/request-context.js';
import type { ChangedPeriods } from '../links.schema.js';
import { EARLIEST, LATEST, requirePast, requirePeriodOrder } from '../parameters.schema.js';
import type { PeriodSpan } from './market.rows.js';
import type { MarketQuery } from './market.schema.js';

export type PriceWindow = Pick<MarketQuery, 'from' | 'to' | 'asOf'>;

/** Of a window that ends before it begins, and a day in the future. */
export async function checkWindow(
  faults: ParameterFaults,
  { from, to, asOf }: PriceWindow,
  { today }: RequestContext,
): Promise<void> {
  await faults.check(['from', 'to'], () => requirePeriodOrder(from, to));
  await faults.check(['asOf'], () => requirePast('asOf', asOf, today));
}

/** An empty span if nothing changed. */
export function within([first, last]: PeriodSpan, changed: ChangedPeriods | null): PeriodSpan {
  if (changed === null) return ['', ''];
  return [first > changed.from ? first : changed.from, last < changed.to ? last : changed.to];
}

/** The periods of a frequency that the window spans. */
export function periodSpanOf(
  { from = EARLIEST, to = LATEST }: PriceWindow,
  frequency: Frequency,
): PeriodSpan {
  return periodsWithin(from, to, frequency);
}
