import { Controller, Get, Inject, Query, Req } from '@nestjs/common';
import { z } from 'zod';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { Pages } from '../../serve/http/pages/pages.service.js';
import { ResponseWriter } from '../../serve/http/response/response-writer.service.js';
import { HTTP_SETTINGS, type HttpSettings } from '../../serve/http/settings.js';
import { shiftedDay } from '../../domain/figures/periods.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { AheadService } from '../../serve/resources/ahead/ahead.service.js';
import type { Change } from '../../serve/resources/changes/change.schema.js';
import { ChangesService } from '../../serve/resources/changes/changes.service.js';
import { BoardService } from '../../serve/resources/macro/board.service.js';
import type { Instrument } from '../../serve/resources/markets/market.schema.js';
import { MarketsService } from '../../serve/resources/markets/markets.service.js';
import { searchText } from '../../serve/resources/parameters.schema.js';
import { SearchService } from '../../serve/resources/search/search.service.js';
import { UrlBuilder } from '../../serve/responses/url-builder.service.js';
import { SitePage } from '../site/site-page.decorator.js';
import { chosenChanges } from './chosen-changes.js';
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
    private readonly markets: MarketsService,
    private readonly ahead: AheadService,
    private readonly search: SearchService,
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
        this.changes.listValues(
          { locale, order: 'importance', limit: CHOSEN_FROM, minImportance: IMPORTANT },
          context,
        ),
        this.changes.listValues({ locale, order: 'newest', limit: CHOSEN_FROM }, context),
        this.board.show(context),
        this.markets.list({ locale }, context),
        this.ahead.list({ locale, limit: SHOWN.events, from: today, to }, context),
      ]);
      const { columns, rows } = board.data;
      const important = chosenChanges(changes.data);
      return {
        view: 'home',
        results: [board, markets, ahead],
        feed: newest,
        model: {
          title: this.texts.say(locale, 'site.home.title'),
          path: '/',
          description: this.texts.say(locale, 'site.about'),
          changes: important,
          columns: columns.slice(0, SHOWN.columns),
          rows: rows.slice(0, SHOWN.economies),
          newest: chosenChanges(byDay(newest.data), important),
          instruments: shownInstruments(markets.data),
          events: ahead.data,
          isHome: true,
        },
      };
    });
  }

  @Get('search')
  find(
    @Req() request: ApiRequest,
    @Query({ schema: SearchPageQuery }) { q }: { readonly q?: string | undefined },
  ) {
    return this.pages.page(request, `search ${q ?? ''}`, async (context) => {
      const { locale } = context;
      const [named, found, changes] =
        q === undefined
          ? [null, null, null]
          : await Promise.all([
              this.search.named(q, context),
              this.search.search({ locale, q, limit: SHOWN.results }, context),
              this.changes.listValues({ locale, order: 'newest', limit: SHOWN.changes, q }, context),
            ]);
      const pages = named?.data.pages ?? [];
      const others = (found?.data ?? []).filter((one) => !pages.some(({ path }) => path === pagePath(one)));
      return {
        view: 'search',
        // A notice of the API speaks to programs.
        results: found === null || found.data.length === 0 ? [] : [found],
        ...(changes !== null && { feed: changes }),
        model: {
          title: this.texts.say(locale, 'site.search.title'),
          path: q === undefined ? '/search' : `/search?q=${encodeURIComponent(q)}`,
          listed: false,
          q: q ?? '',
          pages,
          unlisted: named?.data.unlisted ?? null,
          found: others.map((one) => ({ ...one, path: pagePath(one) })),
          changes: changes?.data ?? [],
          isHome: true,
          api: q === undefined ? null : `${this.urls.of('search')}?q=${encodeURIComponent(q)}`,
        },
      };
    });
  }
}

/** What was published here last may have occurred long ago. */
const byDay = (changes: readonly Change[]): Change[] =>
  changes.toSorted((a, b) => b.occurredAt.localeCompare(a.occurredAt));

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
