import { firstDayOf, lastDayOf, periodOn, type Frequency } from '../../domain/figures/periods.js';

interface Span {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A span of days widened to whole periods: a week or a month is asked for by any of its days. */
export function wholePeriods<Query extends Span>(query: Query, frequency: Frequency): Query {
  const { from, to } = query;
  if (frequency === 'D') return query;
  return {
    ...query,
    ...(from?.length === 10 && { from: firstDayOf(periodOn(from, frequency)) }),
    ...(to?.length === 10 && { to: lastDayOf(periodOn(to, frequency)) }),
  };
}

/** With the year at the end of a name as the span, where none is requested: GDP 2020. */
export function withYearOf<Query extends Span>(name: string | undefined, query: Query): Query {
  const [, year] = /\s((?:19|20)\d{2})年?$/u.exec(name?.trim() ?? '') ?? [];
  return year === undefined || (query.from ?? query.to) !== undefined ? query : { ...query, from: year, to: year };
}
