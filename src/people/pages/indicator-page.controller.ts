import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import type { RenderRequest } from '../../serve/http/request/api-request.js';
import { DEFAULT_LOCALE } from '../../domain/locale/locale.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { BoardService } from '../../serve/resources/macro/board.service.js';
import { IndicatorSlug, type MacroSeries } from '../../serve/resources/macro/macro.schema.js';
import { MacroService } from '../../serve/resources/macro/macro.service.js';
import { periodOn, previousPeriod, type Frequency } from '../../domain/figures/periods.js';
import { UrlBuilder } from '../../serve/responses/url-builder.service.js';
import { SitePage } from '../site/site-page.decorator.js';
import { PlaceQuery, placeOf } from '../views/place.js';
import { PublicPages } from './public-pages.service.js';

type RegionSeries = MacroSeries['series'][number];
type Latest = RegionSeries['observations'][number] | null;

@SitePage()
@Controller()
export class IndicatorPageController {
  constructor(
    private readonly pages: PublicPages,
    private readonly macro: MacroService,
    private readonly board: BoardService,
    private readonly texts: Texts,
    private readonly urls: UrlBuilder,
  ) {}

  @Get('indicators')
  list(@Req() request: RenderRequest) {
    return this.pages.page(request, 'indicators', async (context) => {
      const result = await this.board.show(context);
      const { indicators } = result.data;
      return {
        view: 'indicators',
        results: [result],
        table: {
          name: 'indicators',
          columns: ['indicator', 'name', 'unit', 'frequency', 'economies', 'first_period', 'newest_period'],
          rows: indicators.map((one) => [
            one.slug,
            one.name,
            one.unit.code,
            one.frequency,
            one.economies,
            one.firstPeriod,
            one.newestPeriod,
            one.source,
          ]),
        },
        model: {
          title: this.texts.say(context.locale, 'site.indicators.title'),
          path: '/indicators',
          description: this.texts.say(context.locale, 'site.indicators.lead'),
          indicators,
          api: this.urls.of('macro', 'board'),
        },
      };
    });
  }

  /** All economies of one indicator, in the order of the newest figures up to a period. */
  @Get('macro/:indicator')
  show(
    @Req() request: RenderRequest,
    @Query({ schema: PlaceQuery }) { to }: PlaceQuery,
    @Param('indicator', { schema: IndicatorSlug }) slug: string,
  ) {
    const path = `/macro/${slug}`;
    return this.pages.page(request, `indicator ${placeOf(path, { to }, DEFAULT_LOCALE).path}`, async (context) => {
      const { locale } = context;
      const result = await this.macro.find(slug, { locale, vintages: 'newest', to }, context);
      const { indicator, series } = result.data;
      const rows = series
        .map((one) => ({ one, latest: one.observations.findLast(({ value }) => value !== null) ?? null }))
        .sort((a, b) => (b.latest?.value ?? -Infinity) - (a.latest?.value ?? -Infinity));
      const values = rows.map(({ latest }) => Math.abs(latest?.value ?? 0));
      return {
        view: 'indicator',
        results: [result],
        coverage: '',
        table: {
          name: slug,
          columns: ['indicator', 'region', 'region_name', 'period', 'value', 'unit', 'stored_since'],
          rows: rows.flatMap(({ one }) =>
            one.observations.map(({ period, value, knownSince }) => [
              slug,
              one.region.code,
              one.region.name,
              period,
              value,
              indicator.unit.code,
              knownSince,
              one.source,
            ]),
          ),
        },
        model: {
          title: indicator.name,
          ...placeOf(path, { to }, locale),
          description: indicator.description,
          crumbs: [{ path: '/indicators', name: this.texts.say(locale, 'site.indicators.title') }],
          indicator,
          choices: choicesOf(indicator.frequency, to, context.today),
          chosen: to ?? newestOf(rows),
          rows: ranked(rows).map(({ one, ...row }) => ({ ...one, ...row, before: beforeOf(one) })),
          /** Money of many economies spans decades of magnitude: its bars would say nothing. */
          most: Math.max(0, ...values),
          api: this.urls.of('macro', slug),
        },
      };
    });
  }
}

/** Countries compete in the newest period, groups of them stand between them unranked; those with an older figure only follow. */
function ranked<Row extends { readonly one: RegionSeries; readonly latest: Latest }>(
  rows: readonly Row[],
): (Row & { readonly rank: number | null })[] {
  // The code of a country has two letters, that of a group three.
  const isCountry = ({ one }: Row): boolean => one.region.code.length === 2;
  const newest = newestOf(rows.filter(isCountry));
  const isNewest = ({ latest }: Row): boolean => latest !== null && latest.period === newest;
  let count = 0;
  return [...rows.filter(isNewest), ...rows.filter((row) => !isNewest(row))].map((row) => ({
    ...row,
    rank: isCountry(row) && isNewest(row) ? (count += 1) : null,
  }));
}

const newestOf = (rows: readonly { readonly latest: Latest }[]): string | undefined =>
  rows
    .flatMap(({ latest }) => latest?.period ?? [])
    .sort()
    .at(-1);

/** So many periods a reader may choose from. */
const CHOICES = 30;

/** The periods that have ended, the newest first, and the chosen one; none of decisions, which are dated by the day. */
function choicesOf(frequency: Frequency, to: string | undefined, today: string): string[] {
  if (frequency === 'D') return [];
  let period = periodOn(today, frequency);
  const ended = Array.from({ length: CHOICES }, () => (period = previousPeriod(period)));
  return to === undefined || ended.includes(to) ? ended : [...ended, to];
}

/** The figure before the newest one. */
const beforeOf = ({ observations }: RegionSeries) => observations.filter(({ value }) => value !== null).at(-2) ?? null;
