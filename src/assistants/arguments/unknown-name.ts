import { invalidParameter } from '../../domain/errors/api-error.js';
import { COMMODITIES, HAS_SHARES } from './known-names.js';

export type SeriesType = 'indicator' | 'instrument';

/** What search found for a name. */
export interface Hit {
  readonly type: SeriesType | 'country';
  readonly id: string;
  readonly title: string;
  readonly score: number;
}

/** Below, a name shares only a usual word with what was asked for, such as “price”, and would mislead. */
const LIKELY = 240;

/** Parameters that take references as well as names. */
const OF_SERIES: ReadonlySet<string> = new Set(['series', 'minus', 'per', 'times']);

/** The error for a name that nothing has, with the likeliest. */
export function unknown(parameter: string, hits: readonly (Hit | undefined)[], name: string) {
  const allowed = hits.flatMap((hit) => (hit === undefined || hit.score < LIKELY ? [] : [`${hit.id} (${hit.title})`]));
  const args = { name };
  if (OF_SERIES.has(parameter)) return invalidParameter({ parameter, reason: 'unknown_series', args, allowed });
  if (allowed.length > 0) return invalidParameter({ parameter, reason: 'no_such_name', args, allowed });
  if (parameter === 'instrument' && !HAS_SHARES)
    return invalidParameter({
      parameter,
      reason: 'instrument_not_covered',
      args: { name, keys: COMMODITIES.join(', ') },
    });
  return invalidParameter({ parameter, reason: 'not_covered', args });
}
