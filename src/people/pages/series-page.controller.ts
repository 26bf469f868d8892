import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { z } from 'zod';
import { ApiError, notFound } from '../../domain/errors/api-error.js';
import type { RenderRequest } from '../../serve/http/request/api-request.js';
import type { Figure } from '../../domain/figures/figure.schema.js';
import { firstDayOf, lastDayOf } from '../../domain/figures/periods.js';
import { formatDay } from '../../domain/locale/format.js';
import { DEFAULT_LOCALE } from '../../domain/locale/locale.js';
import { Texts } from '../../domain/locale/texts.service.js';
import type { RequestContext } from '../../serve/responses/request-context.js';
import { UrlBuilder } from '../../serve/responses/url-builder.service.js';
import { ChangesService } from '../../serve/resources/changes/changes.service.js';
import { EconomyService } from '../../serve/resources/macro/economy.service.js';
import { IndicatorSlug, type MacroSeries } from '../../serve/resources/macro/macro.schema.js';
import { MacroService } from '../../serve/resources/macro/macro.service.js';
import { SitePage } from '../site/site-page.decorator.js';
import { lineChart } from '../views/chart.js';
import type { FileTable } from '../views/table-file.js';
import { PlaceQuery, placeOf, spanChoices, startOf } from '../views/place.js';
import { PublicPages } from './public-pages.service.js';
import { bandOf } from '../views/series-band.js';

export const RegionSegment = z.string().max(10);
/** Rows of one page of the table; the file has all of them. */
const ROWS = 60;
const SHOWN = { changes: 5, searched: 50, others: 12 };

@SitePage()
@Controller('macro')
export class SeriesPageController {
  constructor(
    private readonly pages: PublicPages,
    private readonly macro: MacroService,
    private readonly economies: EconomyService,
    private readonly changes: ChangesService,
    private readonly texts: Texts,
    private readonly urls: UrlBuilder,
  ) {}

  @Get(':indicator/:region')
  show(
    @Req() request: RenderRequest,
    @Query({ schema: PlaceQuery }) query: PlaceQuery,
    @Param('indicator', { schema: IndicatorSlug }) slug: string,
    @Param('region', { schema: RegionSegment }) segment: string,
  ) {
    const code = segment.toUpperCase();
    const name = `macro ${placeOf(`${slug} ${code}`, query, DEFAULT_LOCALE).path}`;
    return this.pages.page(request, name, async (context) => {
      const { locale } = context;
      const { asOf } = query;
      const all = await this.macro.find(slug, { locale, asOf, vintages: 'newest' }, context);
      const regions = all.data.series.map(({ region }) => region);
      const second = regions.find((one) => one.code === query.with && one.code !== code)?.code;
      const place = placeOf(`/macro/${slug}/${code}`, { ...query, with: second }, locale);
      const wanted = { locale, region: [code, ...(second === undefined ? [] : [second])], asOf };
      const [result, vintages] = await Promise.all([
        this.macro.find(slug, { ...wanted, vintages: 'newest' }, context).catch(unknownRegion(code)),
        this.macro
          .find(slug, { ...wanted, region: [code], vintages: 'all' }, context)
          .catch(unknownRegion(code)),
      ]);
      const { indicator, series } = result.data;
      const found = series.find(({ region }) => region.code === code);
      const codes = regions.map((region) => region.code);
      if (found === undefined) throw notFound('region', 'no_path', `${slug}/${code}`, codes.slice(0, 10));
      const other = series.find(({ region }) => region.code === second) ?? null;
      const { region, observations } = found;
      const related = await this.changes.listValues(
        { locale, order: 'newest', limit: SHOWN.searched, country: [region.code], q: slug },
        context,
      );
      const name = this.texts.say(locale, 'resources.series', {
        indicator: indicator.name,
        region: region.name,
      });
      const band = vintages.data.series[0]?.observations ?? [];
      return {
        view: 'series',
        results: [result],
        coverage: `${observations[0]?.period?.slice(0, 4) ?? ''}/${observations.at(-1)?.period?.slice(0, 4) ?? ''}`,
        table: fileOf(slug, indicator.unit.code, series),
        model: {
          title: name,
          ...place,
          today: asOf ?? context.today,
          description: indicator.description,
          crumbs: [
            { path: `/countries/${region.code}`, name: region.name },
            { path: `/macro/${slug}`, name: indicator.name },
          ],
          ...{ indicator, found },
          latest: observations.findLast(({ value }) => value !== null) ?? null,
          ...this.drawn(name, { indicator, found, other, band }, place, context),
          choices: regions
            .filter((one) => one.code !== code)
            .map((one) => ({ key: one.code, name: one.name }))
            .toSorted((one, next) => one.name.localeCompare(next.name, locale)),
          changes: related.data
            .filter(({ subject }) => subject.key === `${slug}@${region.code}`)
            .slice(0, SHOWN.changes),
          others: regions.filter((one) => one.code !== code).slice(0, SHOWN.others),
          elsewhere: await this.otherIndicators(code, slug, context),
          api: `${this.urls.of('macro', slug)}?region=${region.code}`,
        },
      };
    });
  }

  /** Other figures of the same economy. */
  private async otherIndicators(code: string, slug: string, context: RequestContext) {
    const { data } = await this.economies.find(code, context);
    return data.figures.filter(({ indicator }) => indicator !== slug).slice(0, SHOWN.others);
  }

  /** The chart and its table: both lines from the start of the span. */
  private drawn(
    name: string,
    { indicator, found, other, band }: Drawn,
    place: ReturnType<typeof placeOf>,
    { locale, today }: RequestContext,
  ) {
    const { span, to, asOf } = place.place;
    const all = found.observations.filter(({ period }) => period !== null);
    const last = all.at(-1)?.period ?? today;
    const from = startOf(span, lastDayOf(last)) ?? '';
    const since = (figures: readonly Figure[]) =>
      figures.filter(({ period }) => period !== null && firstDayOf(period) >= from);
    const [shown, second] = [since(all), since(other?.observations ?? [])];
    const points = bandOf(shown, band);
    const isFan = points.some(({ low, high }) => low !== high);
    const until = shown.filter(({ period }) => to === undefined || (period ?? '') <= to);
    const older = until.at(-ROWS - 1)?.period ?? null;
    const latest = shown.findLast(({ value }) => value !== null);
    return {
      spans: all.length === 0 ? [] : spanChoices(all[0]?.period ?? last, last, all.length),
      chart: lineChart(points, {
        title: this.texts.say(locale, `site.figure.${isFan ? 'vintage' : 'known'}_chart`, {
          name,
          day: formatDay(locale, asOf ?? today),
        }),
        ...{ locale, unit: indicator.unit.label, marked: latest?.period ?? undefined },
        // Of indicators, decisions alone are dated by the day: each holds until the next.
        steps: indicator.frequency === 'D',
        name: found.region.name,
        other: other && { name: other.region.name, points: bandOf(second, []) },
      }),
      rows: until.toReversed().slice(0, ROWS),
      second: other && { first: found.region.name, name: other.region.name, figures: second },
      total: until.length,
      older: older === null ? null : place.at({ to: older }),
    };
  }
}

type RegionSeries = MacroSeries['series'][number];

interface Drawn {
  readonly indicator: MacroSeries['indicator'];
  readonly found: RegionSeries;
  readonly other: RegionSeries | null;
  /** All vintages of the first series. */
  readonly band: readonly Figure[];
}

/** All rows of the series: a span or a page of the table leaves nothing out. */
const fileOf = (slug: string, unit: string, series: readonly RegionSeries[]): FileTable => ({
  name: [slug, ...series.map(({ region }) => region.code)].join('-'),
  columns: ['indicator', 'region', 'region_name', 'period', 'value', 'unit', 'missing', 'stored_since'],
  rows: series.flatMap(({ region, observations }) =>
    observations.map(({ period, value, missing, knownSince, source }) => [
      ...[slug, region.code, region.name, period, value, unit],
      ...[missing ?? null, knownSince, source],
    ]),
  ),
});

/** An unknown region in a path is not found; the nearest codes are named. */
export const unknownRegion =
  (code: string) =>
  (error: unknown): never => {
    if (!(error instanceof ApiError) || error.code !== 'invalid_parameter') throw error;
    throw notFound('region', 'no_path', code, error.details.faults?.[0]?.allowed ?? []);
  };
