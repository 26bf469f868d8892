import { periodOn, type Frequency } from '../../../domain/figures/periods.js';
import type { PointRow } from '../series/point.rows.js';
import type { CloseRow, InstrumentRow } from './market.rows.js';
import type { Bar, Timeframe } from './market.schema.js';
import type { Quotes } from './quotes.view.js';

export const FREQUENCIES: Readonly<Record<Timeframe, Frequency>> = { D1: 'D', W1: 'W', MN: 'M' };
const FINENESS: Readonly<Record<Timeframe, number>> = { D1: 3, W1: 2, MN: 1 };

/** Whether an instrument has bars of a time frame: its own, or rolled up from daily prices. */
export function hasFrame({ nativeTimeframe, average }: InstrumentRow, tf: Timeframe): boolean {
  if (nativeTimeframe === tf) return true;
  return nativeTimeframe === 'D1' && FINENESS[tf] < FINENESS.D1 && !average;
}

/**
 * Bars of closes, oldest first. A rolled-up bar is complete once a price of a later period is stored, or the source has
 * ended the instrument: until then another price may become the period's last.
 */
export function barsOf(
  { nativeTimeframe, discontinued, latest }: InstrumentRow,
  tf: Timeframe,
  closes: readonly CloseRow[],
  quotes: Quotes,
): Bar[] {
  const derived = nativeTimeframe !== tf;
  const periodOf = ({ period }: PointRow): string => (derived ? periodOn(period, FREQUENCIES[tf]) : period);
  const [newest] = latest;
  return closes.map((row) => ({
    period: periodOf(row),
    open: null,
    high: null,
    low: null,
    close: quotes.at(row),
    derived,
    complete: !derived || discontinued || (newest !== undefined && periodOf(newest) > periodOf(row)),
  }));
}
