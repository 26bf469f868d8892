import { Controller, Get, Param, Req } from '@nestjs/common';
import type { RenderRequest } from '../../serve/http/request/api-request.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { BoardService } from '../../serve/resources/macro/board.service.js';
import { IndicatorSlug, type MacroSeries } from '../../serve/resources/macro/macro.schema.js';
import { MacroService } from '../../serve/resources/macro/macro.service.js';
import { UrlBuilder } from '../../serve/responses/url-builder.service.js';
import { SitePage } from '../site/site-page.decorator.js';
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
            ...[one.slug, one.name, one.unit.code, one.frequency, one.economies],
            ...[one.firstPeriod, one.newestPeriod, one.source],
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

  /** All economies of one indicator, in the order of the newest figures. */
  @Get('macro/:indicator')
  show(@Req() request: RenderRequest, @Param('indicator', { schema: IndicatorSlug }) slug: string) {
    return this.pages.page(request, `indicator ${slug}`, async (context) => {
      const { locale } = context;
      const result = await this.macro.find(slug, { locale, vintages: 'newest' }, context);
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
              ...[slug, one.region.code, one.region.name, period, value, indicator.unit.code],
              ...[knownSince, one.source],
            ]),
          ),
        },
        model: {
          title: indicator.name,
          path: `/macro/${slug}`,
          description: indicator.description,
          crumbs: [{ path: '/indicators', name: this.texts.say(locale, 'site.indicators.title') }],
          indicator,
          rows: ranked(rows).map(({ one, latest, rank }) => ({
            ...one,
            latest,
            rank,
            before: beforeOf(one),
          })),
          /** Money of many economies spans decades of magnitude: its bars would say nothing. */
          most: Math.max(0, ...values),
          api: this.urls.of('macro', slug),
        },
      };
    });
  }
}

/** Countries compete in the newest period; groups of them, and those with an older figure only, stand between them unranked. */
function ranked<Row extends { readonly one: RegionSeries; readonly latest: Latest }>(
  rows: readonly Row[],
): (Row & { readonly rank: number | null })[] {
  // The code of a country has two letters, that of a group three.
  const competes = ({ one, latest }: Row): boolean => one.region.code.length === 2 && latest !== null;
  const periods = rows.filter(competes).flatMap(({ latest }) => latest?.period ?? []);
  const newest = periods.sort().at(-1);
  let count = 0;
  return rows.map((row) => ({
    ...row,
    rank: competes(row) && row.latest?.period === newest ? (count += 1) : null,
  }));
}

/** The figure before the newest one. */
const beforeOf = ({ observations }: RegionSeries) =>
  observations.filter(({ value }) => value !== null).at(-2) ?? null;
