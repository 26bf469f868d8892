import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { z } from 'zod';
import { ApiError, notFound } from '../../domain/errors/api-error.js';
import type { RenderRequest } from '../../serve/http/request/api-request.js';
import type { Figure } from '../../domain/figures/figure.schema.js';
import { regionName } from '../../domain/catalogue/closed-sets.js';
import { firstDayOf, lastDayOf, yearBeforeOf } from '../../domain/figures/periods.js';
import { unitNamed } from '../../domain/figures/units.js';
import { DEFAULT_LOCALE, type Locale } from '../../domain/locale/locale.js';
import { Texts } from '../../domain/locale/texts.service.js';
import type { RequestContext } from '../../serve/responses/request-context.js';
import { UrlBuilder } from '../../serve/responses/url-builder.service.js';
import { ChangesService } from '../../serve/resources/changes/changes.service.js';
import { IndicatorSlug, type MacroSeries } from '../../serve/resources/macro/macro.schema.js';
import { MacroService } from '../../serve/resources/macro/macro.service.js';
import { SurroundingsService, type RestatedPeriod } from '../../serve/resources/macro/surroundings.service.js';
import { SitePage } from '../site/site-page.decorator.js';
import { lineChart } from '../views/chart.js';
import { chartTitle } from '../views/chart-title.js';
import { signedPercent } from '../views/shown-figure.js';
import type { FileTable } from '../views/table-file.js';
import { PlaceQuery, placeOf, spanChoices, startOf } from '../views/place.js';
import { PublicPages } from './public-pages.service.js';
import { bandOf } from '../views/series-band.js';

export const RegionSegment = z.string().max(10);
/** Rows of one page of the table; the file has all of the span. */
const ROWS = 60;
const SHOWN = { changes: 5, others: 12 };

@SitePage()
@Controller('macro')
export class SeriesPageController {
  constructor(
    private readonly pages: PublicPages,
    private readonly macro: MacroService,
    private readonly surroundings: SurroundingsService,
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
      const around = await this.surroundings.neighbours(slug, code, context).catch(unknownRegion(code));
      const { regions, indicators } = around.data;
      const second = regions.find((one) => one === query.with && one !== code);
      const place = placeOf(`/macro/${slug}/${code}`, { ...query, with: second }, locale);
      const region = [code, ...(second === undefined ? [] : [second])];
      const [result, restated, changes] = await Promise.all([
        this.macro.find(slug, { locale, region, asOf, vintages: 'newest' }, context),
        this.surroundings.restated(slug, code, asOf ?? context.today, context),
        this.changes.ofSeries({ indicator: slug, region: code }, SHOWN.changes, context),
      ]);
      const { indicator, series } = result.data;
      const found =
        series.find((one) => one.region.code === code) ?? (await this.unknownThen(slug, code, query, context));
      if (found === undefined) throw notFound('region', 'no_path', `${slug}/${code}`, regions.slice(0, 10));
      const other = series.find((one) => one.region.code === second) ?? null;
      const { observations } = found;
      const isShown = withinPlace(place.place, observations.at(-1)?.period ?? context.today);
      const others = regions.filter((one) => one !== code).map((one) => ({ key: one, name: regionName(locale, one) }));
      const name = this.texts.say(locale, 'resources.series', { indicator: indicator.name, region: found.region.name });
      return {
        view: 'series',
        results: [result],
        coverage: `${observations[0]?.period?.slice(0, 4) ?? ''}/${observations.at(-1)?.period?.slice(0, 4) ?? ''}`,
        table: fileOf(slug, indicator.unit.code, series, isShown),
        model: {
          title: name,
          ...place,
          today: asOf ?? context.today,
          description: indicator.description,
          crumbs: [
            { path: `/countries/${code}`, name: found.region.name },
            { path: `/macro/${slug}`, name: indicator.name },
          ],
          indicator,
          found,
          ...this.drawn(name, { indicator, found, other, restated: restated.data, isShown }, place, context),
          choices: others.toSorted((one, next) => one.name.localeCompare(next.name, locale)),
          // Those of today: a past day did not know them.
          changes: asOf === undefined ? changes.data : [],
          others: others.slice(0, SHOWN.others),
          elsewhere: indicators.filter((one) => one.slug !== slug).slice(0, SHOWN.others),
          api: `${this.urls.of('macro', slug)}?region=${code}`,
        },
      };
    });
  }

  /** A series of which nothing was stored on the day; undefined if there is none today either. */
  private async unknownThen(slug: string, code: string, { asOf }: PlaceQuery, context: RequestContext) {
    if (asOf === undefined) return undefined;
    const today = { locale: context.locale, region: [code], vintages: 'newest' as const };
    const { data } = await this.macro.find(slug, today, context);
    return data.series.map((one) => ({ ...one, observations: [] })).at(0);
  }

  /** The chart and its table: both lines from the start of the span. */
  private drawn(
    name: string,
    { indicator, found, other, restated, isShown }: Drawn,
    place: ReturnType<typeof placeOf>,
    { locale, today }: RequestContext,
  ) {
    const { asOf } = place.place;
    const all = found.observations.filter(({ period }) => period !== null);
    const last = all.at(-1)?.period ?? today;
    const shown = found.observations.filter(isShown);
    const second = (other?.observations ?? []).filter(isShown);
    const points = bandOf(shown, restated);
    const isFan = points.some(({ low, high }) => low !== high);
    const older = shown.at(-ROWS - 1)?.period ?? null;
    const latest = shown.findLast(({ value }) => value !== null);
    return {
      spans: all.length === 0 ? [] : spanChoices(all[0]?.period ?? last, last, all.length),
      chart: lineChart(points, {
        title: chartTitle(this.texts, locale, { name, points, asOf }),
        locale,
        unit: indicator.unit.label,
        marked: latest?.period ?? undefined,
        // Of indicators, decisions alone are dated by the day: each holds until the next.
        steps: indicator.frequency === 'D',
        name: found.region.name,
        other: other && { name: other.region.name, points: bandOf(second, []) },
      }),
      latest: latest ?? null,
      onYear: latest && onYearOf(latest, all, locale),
      starts: all[0]?.period ?? null,
      ranges: isFan ? new Map(restated.map((one) => [one.period, one])) : null,
      unrevisedSince: restated.length > 0 || other !== null || indicator.frequency === 'D' ? null : firstStored(all),
      rows: shown.toReversed().slice(0, ROWS),
      second: other && { first: found.region.name, name: other.region.name, figures: second },
      total: shown.length,
      older: older === null ? null : place.at({ to: older }),
    };
  }
}

type RegionSeries = MacroSeries['series'][number];

interface Drawn {
  readonly indicator: MacroSeries['indicator'];
  readonly found: RegionSeries;
  readonly other: RegionSeries | null;
  /** Of the first series. */
  readonly restated: readonly RestatedPeriod[];
  readonly isShown: (figure: Figure) => boolean;
}

/** Whether a figure is of the span that ends with `to`, or with the newest period. */
const withinPlace =
  ({ span, to }: PlaceQuery, newest: string) =>
  ({ period }: Figure): boolean =>
    period !== null &&
    firstDayOf(period) >= (startOf(span, lastDayOf(to ?? newest)) ?? '') &&
    (to === undefined || period <= to);

/** The day since which the first of the figures is stored. */
const firstStored = (all: readonly Figure[]): string | null =>
  all.map(({ knownSince }) => knownSince).sort()[0] ?? null;

/** All rows of the span. */
const fileOf = (
  slug: string,
  unit: string,
  series: readonly RegionSeries[],
  isShown: (figure: Figure) => boolean,
): FileTable => ({
  name: [slug, ...series.map(({ region }) => region.code)].join('-'),
  columns: ['indicator', 'region', 'region_name', 'period', 'value', 'unit', 'missing', 'stored_since'],
  rows: series.flatMap(({ region, observations }) =>
    observations
      .filter(isShown)
      .map(({ period, value, missing, knownSince, source }) => [
        slug,
        region.code,
        region.name,
        period,
        value,
        unit,
        missing ?? null,
        knownSince,
        source,
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

/** Of a monthly index, whose level depends on its base: its change on the year, in percent. */
function onYearOf({ period, value, unit }: Figure, all: readonly Figure[], locale: Locale): string | null {
  const before = period === null ? null : yearBeforeOf(period);
  const then = all.find((figure) => figure.period === before)?.value ?? null;
  if (before === null || unitNamed(unit).dimension !== 'index' || value === null || then === null || then <= 0)
    return null;
  return signedPercent((value / then - 1) * 100, locale);
}
