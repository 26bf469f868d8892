import { invalidParameter } from '../../../domain/errors/api-error.js';
import { shiftedDay } from '../../../domain/figures/periods.js';
import { requireOrder } from '../parameters.schema.js';

/** Before and after all events. */
export const EVERY_DAY: DayRange = { from: '0001-01-01', to: '9999-12-31' };

export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Yesterday to 31 days ahead. */
const DAYS_BACK = 1;
const DAYS_AHEAD = 31;
const MOST_DAYS = 400;

/**
 * The requested days, both inclusive. Without `from` the window begins yesterday, or the default span before a `to` that
 * is past; without `to` it has the default span.
 * @throws ApiError `invalid_parameter` for a window that ends before it begins or is longer than 400 days
 */
export function windowOf(from: string | undefined, to: string | undefined, today: string): DayRange {
  requireOrder('from', from, 'to', to);
  const span = DAYS_BACK + DAYS_AHEAD;
  const yesterday = shiftedDay(today, -DAYS_BACK);
  const start = from ?? (to === undefined || to >= yesterday ? yesterday : shiftedDay(to, -span));
  const end = to ?? shiftedDay(start, span);
  if (shiftedDay(start, MOST_DAYS - 1) < end) {
    throw invalidParameter({ parameter: 'to', reason: 'window_maximum', args: { limit: MOST_DAYS } });
  }
  return { from: start, to: end };
}
