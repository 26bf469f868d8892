import { percentText } from '../../domain/figures/written-number.js';
import { formatPeriod } from '../../domain/locale/format.js';
import type { EconomyBoard } from '../../serve/resources/macro/macro.schema.js';
import type { SeriesService } from '../../serve/resources/series/series.service.js';
import type { RequestContext } from '../../serve/responses/request-context.js';

/** A monthly index, and the indicator that is its change from year to year. */
const INDEX = { slug: 'consumer-price-index', region: 'US', indicator: 'cpi-inflation' } as const;

/** Beside a year of the table of economies, the change on the year of a newer month, computed from its index; null without one. */
export async function newestMonth(
  series: SeriesService,
  { columns, rows }: Pick<EconomyBoard, 'columns' | 'rows'>,
  context: RequestContext,
) {
  const { slug, region, indicator } = INDEX;
  const column = columns.findIndex((one) => one.indicator === indicator);
  const cell = rows.find((row) => row.region.code === region)?.cells[column];
  if (cell === undefined) return null;
  const { locale } = context;
  const query = { locale, series: [`${slug}@${region}`], transform: 'yoy', points: 1 } as const;
  const result = await series.find({ ...query, series: [...query.series] }, context);
  const point = result.data[0]?.points.at(-1);
  if (point?.value == null || point.period.slice(0, 4) <= (cell.period ?? '')) return null;
  const words = { percent: percentText(locale, String(point.value)), period: formatPeriod(locale, point.period) };
  return { result, region, indicator, path: `/macro/${slug}/${region}`, words };
}
