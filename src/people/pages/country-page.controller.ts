import { Controller, Get, Param, Req } from '@nestjs/common';
import type { RenderRequest } from '../../serve/http/request/api-request.js';
import { shiftedDay } from '../../domain/figures/periods.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { AheadService } from '../../serve/resources/ahead/ahead.service.js';
import { ChangesService } from '../../serve/resources/changes/changes.service.js';
import { CompaniesService } from '../../serve/resources/companies/companies.service.js';
import { BoardService } from '../../serve/resources/macro/board.service.js';
import { SeriesService } from '../../serve/resources/series/series.service.js';
import { UrlBuilder } from '../../serve/responses/url-builder.service.js';
import { SitePage } from '../site/site-page.decorator.js';
import { byDay, chosenChanges } from './chosen-changes.js';
import { newestMonth } from './newest-month.js';
import { PublicPages } from './public-pages.service.js';
import { RegionSegment, unknownRegion } from './series-page.controller.js';

/** The newest changes of the largest economies are all of one price. */
const CHOSEN_FROM = 100;
const SHOWN = { events: 10, companies: 10, days: 31 };

@SitePage()
@Controller('countries')
export class CountryPageController {
  constructor(
    private readonly pages: PublicPages,
    private readonly board: BoardService,
    private readonly changes: ChangesService,
    private readonly ahead: AheadService,
    private readonly companies: CompaniesService,
    private readonly series: SeriesService,
    private readonly texts: Texts,
    private readonly urls: UrlBuilder,
  ) {}

  @Get()
  list(@Req() request: RenderRequest) {
    return this.pages.page(request, 'countries', async (context) => {
      const { locale } = context;
      const result = await this.board.show(context);
      const { columns, rows, regions } = result.data;
      const month = await newestMonth(this.series, result.data, context);
      return {
        view: 'countries',
        results: [result, ...(month === null ? [] : [month.result])],
        table: {
          name: 'economies',
          columns: ['region', 'region_name', 'indicator', 'period', 'value', 'unit'],
          rows: rows.flatMap(({ region, cells }) =>
            cells.map(({ period, value, unit, source }, index) => [
              region.code,
              region.name,
              columns[index]?.indicator ?? '',
              period,
              value,
              unit,
              source,
            ]),
          ),
        },
        model: {
          title: this.texts.say(locale, 'site.countries.title'),
          path: '/countries',
          description: this.texts.say(locale, 'site.countries.lead'),
          columns,
          rows,
          month,
          regions: regions.toSorted((one, other) => one.name.localeCompare(other.name, locale)),
          api: this.urls.of('macro', 'board'),
        },
      };
    });
  }

  @Get(':code')
  show(@Req() request: RenderRequest, @Param('code', { schema: RegionSegment }) code: string) {
    return this.pages.page(request, `country ${code}`, async (context) => {
      const { locale, today } = context;
      const result = await this.board.economy(code, context).catch(unknownRegion(code));
      const { region, figures } = result.data;
      const country = [region.code];
      const to = shiftedDay(today, SHOWN.days);
      const [changes, ahead, companies] = await Promise.all([
        this.changes.listValues({ locale, order: 'newest', limit: CHOSEN_FROM, country }, context),
        this.ahead.list({ locale, limit: SHOWN.events, country, from: today, to }, context),
        region.code.length === 2
          ? this.companies.list({ locale, limit: SHOWN.companies, country: region.code }, context)
          : null,
      ]);
      return {
        view: 'country',
        results: [result, ahead, ...(companies === null ? [] : [companies])],
        coverage: '',
        feed: changes,
        table: {
          name: `economy-${region.code}`,
          columns: ['region', 'region_name', 'indicator', 'name', 'period', 'value', 'unit'],
          rows: figures.map(({ indicator, name, latest }) => [
            region.code,
            region.name,
            indicator,
            name,
            latest.period,
            latest.value,
            latest.unit,
            latest.source,
          ]),
        },
        model: {
          title: region.name,
          path: `/countries/${region.code}`,
          description: this.texts.say(locale, 'site.countries.one', { name: region.name }),
          crumbs: [{ path: '/countries', name: this.texts.say(locale, 'site.countries.title') }],
          region,
          ...byAge(figures.filter(({ latest }) => !(latest.unit === 'lcu_per_usd' && latest.value === 1))),
          changes: chosenChanges(byDay(changes.data)),
          events: ahead.data,
          companies: companies?.data ?? [],
          api: `${this.urls.of('changes')}?country=${region.code}`,
        },
      };
    });
  }
}

/**
 * Figures of months, quarters and days first, unless they are older than those of years. A figure of 1992 is no headline: those that end more than
 * five years before the newest stand apart.
 */
function byAge<One extends { readonly latest: { readonly period: string | null } }>(all: readonly One[]) {
  const yearOf = ({ latest }: One): number => Number(/\d{4}/.exec(latest.period ?? '')?.[0] ?? 0);
  const newest = Math.max(...all.map(yearOf));
  const isOld = (one: One): boolean => yearOf(one) < newest - 5;
  const isAnnual = ({ latest }: One): boolean => latest.period?.length === 4;
  const newestAnnual = Math.max(...all.filter(isAnnual).map(yearOf));
  const isCurrent = (one: One): boolean => !isAnnual(one) && yearOf(one) >= newestAnnual;
  const figures = all.filter((one) => !isOld(one));
  return {
    figures: [...figures.filter(isCurrent), ...figures.filter((one) => !isCurrent(one))],
    ended: all.filter(isOld),
  };
}
