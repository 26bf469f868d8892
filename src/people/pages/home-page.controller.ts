import { Controller, Get, Inject, Query, Req } from '@nestjs/common';
import { z } from 'zod';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { Pages } from '../../serve/http/pages/pages.service.js';
import { ResponseWriter } from '../../serve/http/response/response-writer.service.js';
import { HTTP_SETTINGS, type HttpSettings } from '../../serve/http/settings.js';
import { shiftedDay } from '../../domain/figures/periods.js';
import type { Figure } from '../../domain/figures/figure.schema.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { AheadService } from '../../serve/resources/ahead/ahead.service.js';
import { ChangesService } from '../../serve/resources/changes/changes.service.js';
import { BoardService } from '../../serve/resources/macro/board.service.js';
import { MacroService } from '../../serve/resources/macro/macro.service.js';
import type { Instrument } from '../../serve/resources/markets/market.schema.js';
import { MarketsService } from '../../serve/resources/markets/markets.service.js';
import { searchText } from '../../serve/resources/parameters.schema.js';
import { NamedPagesService } from '../../serve/resources/search/named-pages.service.js';
import { SearchService } from '../../serve/resources/search/search.service.js';
import { withoutAside } from '../../serve/resources/search/unheard-words.rule.js';
import type { RequestContext } from '../../serve/responses/request-context.js';
import { SeriesService } from '../../serve/resources/series/series.service.js';
import { UrlBuilder } from '../../serve/responses/url-builder.service.js';
import { SitePage } from '../site/site-page.decorator.js';
import { byDay, chosenChanges } from './chosen-changes.js';
import { newestMonth } from './newest-month.js';
import { PublicPages } from './public-pages.service.js';

const SHOWN = { changes: 8, economies: 10, columns: 4, ofKind: 4, events: 8, days: 7, results: 20 };
/** From which on a change is important. */
const IMPORTANT = 60;
const CHOSEN_FROM = 100;
const SearchPageQuery = z.looseObject({ q: searchText.optional().catch(undefined) });

/** The home, and the search that begins there. */
@SitePage()
@Controller()
export class HomePageController {
  constructor(
    private readonly pages: PublicPages,
    private readonly changes: ChangesService,
    private readonly board: BoardService,
    private readonly macro: MacroService,
    private readonly markets: MarketsService,
    private readonly ahead: AheadService,
    private readonly search: SearchService,
    private readonly named: NamedPagesService,
    private readonly series: SeriesService,
    private readonly texts: Texts,
    private readonly urls: UrlBuilder,
    private readonly documents: Pages,
    private readonly writer: ResponseWriter,
    @Inject(HTTP_SETTINGS) private readonly settings: HttpSettings,
  ) {}

  @Get()
  home(@Req() request: ApiRequest) {
    const leaflet = this.documents.find('/docs/start');
    // Without pages for people, programmers find their way from here.
    if (!this.settings.publicPages && leaflet !== undefined) return this.writer.encode(request, leaflet);
    return this.pages.page(request, 'home', async (context) => {
      const { locale, today } = context;
      const to = shiftedDay(today, SHOWN.days);
      const [changes, newest, board, markets, ahead] = await Promise.all([
        this.changes.listValues({ locale, order: 'importance', limit: CHOSEN_FROM, minImportance: IMPORTANT }, context),
        this.changes.listValues({ locale, order: 'newest', limit: CHOSEN_FROM }, context),
        this.board.show(context),
        this.markets.list({ locale }, context),
        this.ahead.list({ locale, limit: SHOWN.events, from: today, to }, context),
      ]);
      const { columns, rows } = board.data;
      const important = chosenChanges(changes.data);
      const month = await newestMonth(this.series, board.data, context);
      return {
        view: 'home',
        results: [board, markets, ahead, ...(month === null ? [] : [month.result])],
        feed: newest,
        model: {
          title: this.texts.say(locale, 'site.home.title'),
          path: '/',
          description: this.texts.say(locale, 'site.about'),
          changes: important,
          columns: columns.slice(0, SHOWN.columns),
          rows: rows.slice(0, SHOWN.economies),
          month,
          newest: chosenChanges(byDay(newest.data), important),
          instruments: shownInstruments(markets.data),
          events: ahead.data,
          isHome: true,
        },
      };
    });
  }

  @Get('search')
  find(@Req() request: ApiRequest, @Query({ schema: SearchPageQuery }) { q }: { readonly q?: string | undefined }) {
    return this.pages.page(request, `search ${q ?? ''}`, async (context) => {
      const { locale } = context;
      const named = q === undefined ? null : await this.named.pages(q, context);
      // Beside what its words name, what has some of them is noise.
      const isNamed = (named?.data.pages.length ?? 0) > 0;
      // As it was read: a misspelt word finds nothing.
      const asked = named?.data.respelt ?? q;
      const [found, changes] =
        asked === undefined
          ? [null, null]
          : await Promise.all([
              this.found(asked, isNamed, context),
              this.changes.listValues({ locale, order: 'newest', limit: SHOWN.changes, q: asked }, context),
            ]);
      const pages = named?.data.pages ?? [];
      const unlisted = named?.data.unlisted ?? null;
      const absent = named?.data.absent ?? false;
      // Of a pair that no source prints, the rates against the euro are newer than an average of a year.
      const newest = unlisted === null ? pages[0] : pages.find(({ type }) => type === 'instrument');
      const best = absent ? null : await this.figure(newest?.path ?? '', named?.data.year ?? null, context);
      const crossed = unlisted === null ? null : await this.crossed(unlisted, best?.figure, context);
      const others = (found?.data ?? []).filter((one) => !pages.some(({ path }) => path === pagePath(one)));
      return {
        view: 'search',
        // A notice of the API speaks to programs.
        results: [
          // Cites both rates; of each source the first response is shown.
          crossed?.result,
          best?.result,
          found?.data.length === 0 ? undefined : found,
        ].filter((result) => result != null),
        ...(changes !== null && { feed: changes }),
        model: {
          title: this.texts.say(locale, 'site.search.title'),
          path: q === undefined ? '/search' : `/search?q=${encodeURIComponent(q)}`,
          listed: false,
          q: q ?? '',
          pages,
          best,
          unlisted,
          absent,
          isPartial: found?.isPartial ?? false,
          // Who searches for an index or a coin finds funds with its name.
          areCompanies:
            pages.length === 0 &&
            others.length > 0 &&
            others.every(({ type }) => type === 'company' || type === 'entity'),
          respelt: named?.data.respelt ?? null,
          unheard: isNamed && others.length === 0 ? (named?.data.unheard ?? []) : [],
          crossed: crossed?.text ?? null,
          found: others.map((one) => ({ ...one, path: pagePath(one) })),
          changes: changes?.data ?? [],
          isHome: true,
          api: q === undefined ? null : `${this.urls.of('search')}?q=${encodeURIComponent(q)}`,
        },
      };
    });
  }

  /** What has all words of a query; if nothing is named or has them, what has some. */
  private async found(q: string, isNamed: boolean, context: RequestContext) {
    const query = { locale: context.locale, limit: SHOWN.results };
    const likely = async (whole: boolean) => {
      const words = whole ? q : withoutAside(q);
      const result = await this.search.search({ ...query, q: words }, context, whole);
      return { ...result, data: result.data.filter((one) => isLikely(one, q)) };
    };
    const whole = await likely(true);
    if (isNamed || whole.data.length > 0) return { ...whole, isPartial: false };
    const some = await likely(false);
    return { ...some, isPartial: some.data.length > 0 };
  }

  /** A pair that no source prints, on the day of a rate against the euro; null if the other one has none that day. */
  private async crossed(pair: string, rate: Figure | undefined, context: RequestContext) {
    if (rate?.period == null) return null;
    const [locale, from, to] = [context.locale, rate.period, rate.period];
    const query = { locale, series: [pair.replace('/', '').toLowerCase()], points: 1, from, to };
    const result = await this.series.find(query, context);
    const text = result.data[0]?.points.at(-1)?.text ?? null;
    return text === null ? null : { result, text };
  }

  /** Of the series or instrument with this page the figure of a year, else the newest; null for any other page. */
  private async figure(path: string, year: string | null, context: RequestContext) {
    const { locale } = context;
    const [, folder, key = '', region] = path.split('/');
    if (folder === 'markets') {
      const result = await this.markets.find(key, { locale, points: 1 }, context);
      const { quote } = result.data;
      return quote === null ? null : { result, figure: quote.last, age: quote };
    }
    if (folder !== 'macro' || region === undefined) return null;
    const of = { locale, region: [region], vintages: 'newest' as const };
    // Of a ranking, series have their newest figures only.
    const newest = { ...of, rank: 'highest' as const };
    const ofYear = year === null ? null : await this.macro.find(key, { ...of, from: year, to: year }, context);
    const isKnown = (ofYear?.data.series.length ?? 0) > 0;
    const result = isKnown && ofYear !== null ? ofYear : await this.macro.find(key, newest, context);
    const [age] = result.data.series;
    const figure = age?.observations.at(-1);
    return age === undefined || figure === undefined ? null : { result, figure, age };
  }
}

/** Of Han and kana any two characters match: less than half of a name is chance. */
const LIKELY = 350;
const isLikely = ({ score }: { readonly score: number }, q: string): boolean =>
  score >= LIKELY || /\p{Script=Latin}/u.test(q.normalize('NFKC'));

const PATHS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    signal: '/signals/',
    company: '/companies/',
    country: '/countries/',
    indicator: '/macro/',
    instrument: '/markets/',
  }),
);

function pagePath({ type, id }: { readonly type: string; readonly id: string }): string | null {
  const folder = PATHS.get(type);
  return folder === undefined ? null : folder + id;
}

/** The first of each kind that are still printed, and daily rather than averages. */
function shownInstruments(all: readonly Instrument[]): Instrument[] {
  const live = all.filter(({ status, quote }) => status === 'active' && quote !== null);
  return (['fx', 'commodity', 'rate', 'index', 'equity'] as const).flatMap((kind) => {
    const own = live.filter((one) => one.kind === kind);
    const daily = own.filter(({ average }) => !average);
    // The maturities of a yield curve: the ends and the middle say more than its first days.
    const spread = kind === 'rate' ? daily.filter(({ key }) => /-(3m|2y|10y|30y)$/.test(key)) : daily;
    return [...new Set([...spread, ...own.filter(({ average }) => average)])].slice(0, SHOWN.ofKind);
  });
}
