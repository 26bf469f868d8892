import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import type { RenderRequest } from '../../serve/http/request/api-request.js';
import { shiftedDay, lastDayOf } from '../../domain/figures/periods.js';
import type { Figure } from '../../domain/figures/figure.schema.js';
import { formatPeriod } from '../../domain/locale/format.js';
import { DEFAULT_LOCALE } from '../../domain/locale/locale.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { INSTRUMENT_KINDS, InstrumentKey, type InstrumentDetail } from '../../serve/resources/markets/market.schema.js';
import { ChangesService } from '../../serve/resources/changes/changes.service.js';
import { MarketsService } from '../../serve/resources/markets/markets.service.js';
import type { Result } from '../../serve/responses/result.js';
import type { RequestContext } from '../../serve/responses/request-context.js';
import { UrlBuilder } from '../../serve/responses/url-builder.service.js';
import { SitePage } from '../site/site-page.decorator.js';
import { indexed, lineChart } from '../views/chart.js';
import { chartTitle } from '../views/chart-title.js';
import { PlaceQuery, placeOf, spanChoices, startOf } from '../views/place.js';
import { bandOf } from '../views/series-band.js';
import { isFileFormat } from '../views/table-file.js';
import { PublicPages } from './public-pages.service.js';

/** About a year of trading days in the chart, two months of them in the table; the file has all of the span. */
const POINTS = 250;
const ROWS = 40;
/** Of one request to the service. */
const MOST_POINTS = 1_000;
const CHANGES = 5;
/** Before any stored price, so that the range counts all of them. */
const EVER = '1900-01-01';

@SitePage()
@Controller('markets')
export class MarketPageController {
  constructor(
    private readonly pages: PublicPages,
    private readonly markets: MarketsService,
    private readonly changes: ChangesService,
    private readonly texts: Texts,
    private readonly urls: UrlBuilder,
  ) {}

  @Get()
  list(@Req() request: RenderRequest) {
    return this.pages.page(request, 'markets', async (context) => {
      const result = await this.markets.list({ locale: context.locale }, context);
      return {
        view: 'markets',
        results: [result],
        table: {
          name: 'markets',
          columns: ['instrument', 'name', 'kind', 'unit', 'period', 'value', 'previous_period', 'previous'],
          rows: result.data.map(({ key, name, kind, unit, quote, source }) => [
            key,
            name,
            kind,
            unit.code,
            quote?.last.period ?? null,
            quote?.last.value ?? null,
            quote?.previous.period ?? null,
            quote?.previous.value ?? null,
            source,
          ]),
        },
        model: {
          title: this.texts.say(context.locale, 'site.markets.title'),
          path: '/markets',
          description: this.texts.say(context.locale, 'site.markets.lead'),
          kinds: INSTRUMENT_KINDS.map((kind) => ({
            kind,
            instruments: result.data.filter((one) => one.kind === kind && one.status === 'active'),
            ended: result.data.filter((one) => one.kind === kind && one.status !== 'active'),
          })).filter(({ instruments }) => instruments.length > 0),
          api: this.urls.of('markets'),
        },
      };
    });
  }

  @Get(':key')
  show(
    @Req() request: RenderRequest,
    @Query({ schema: PlaceQuery }) query: PlaceQuery,
    @Param('key', { schema: InstrumentKey }) key: string,
  ) {
    const isFile = isFileFormat(request.context.query['format']);
    return this.pages.page(request, `market ${placeOf(key, query, DEFAULT_LOCALE).path}`, async (context) => {
      const { locale, today } = context;
      const all = await this.markets.list({ locale }, context);
      const choices = all.data.filter((one) => one.key !== key && one.status === 'active');
      const second = choices.find((one) => one.key === query.with)?.key;
      const newest = all.data.find((one) => one.key === key)?.quote?.last.period ?? today;
      const place = placeOf(`/markets/${key}`, { ...query, with: second }, locale);
      const found = await this.figures(key, place.place, isFile, context, { newest });
      // The other spans are of all figures, not of those in this one.
      const whole =
        query.span === undefined
          ? found.result
          : await this.markets.find(key, { locale, asOf: query.asOf, points: 1, from: EVER }, context);
      const from = found.result.data.points[0]?.period ?? today;
      const other =
        second === undefined
          ? null
          : await this.figures(second, { ...place.place, span: query.span ?? 'all' }, isFile, context, {
              newest,
              from,
            });
      const changes = await this.changes.ofSeries({ instrument: key }, CHANGES, context);
      const { data } = found.result;
      const { name, description, quote, range, kind } = data;
      return {
        view: 'market',
        results: [found.result, ...(other === null ? [] : [other.result])],
        coverage: range === null ? '' : `${range.first}/${range.last}`,
        table: {
          name: [key, ...(second === undefined ? [] : [second])].join('-'),
          columns: ['instrument', 'name', 'period', 'value', 'unit', 'stored_since'],
          rows: [found, ...(other === null ? [] : [other])].flatMap(({ result, points }) =>
            points.map(({ period, value, knownSince, source }) => [
              result.data.key,
              result.data.name,
              period,
              value,
              result.data.unit.code,
              knownSince,
              source,
            ]),
          ),
        },
        model: {
          title: name,
          ...place,
          description,
          crumbs: [{ path: '/markets', name: this.texts.say(locale, 'site.markets.title') }],
          instrument: data,
          quote,
          ...this.drawn(found, other, place, context),
          changes: query.asOf === undefined ? changes.data : [],
          starts: found.points.length > 0 ? null : await this.firstPeriod(key, context),
          spans: spansOf(whole.data.range),
          choices: choices.map((one) => ({ key: one.key, name: one.name })),
          others: choices.filter((one) => one.kind === kind).slice(0, 12),
          api: data.url,
        },
      };
    });
  }

  private async firstPeriod(key: string, context: RequestContext) {
    const { locale } = context;
    const { data } = await this.markets.find(key, { locale, points: 1, from: EVER }, context);
    return data.range?.first ?? null;
  }

  /** The figures of a span; without one the newest ones, and in a file all. */
  private async figures(
    key: string,
    { asOf, to, span }: PlaceQuery,
    isFile: boolean,
    context: RequestContext,
    { newest, from }: { readonly newest: string; readonly from?: string },
  ) {
    const isWhole = isFile || span !== undefined;
    const start = startOf(span, lastDayOf(to ?? newest));
    const query = {
      locale: context.locale,
      asOf,
      to,
      points: isWhole ? MOST_POINTS : POINTS,
      from: from ?? start ?? EVER,
    };
    const result = await this.markets.find(key, query, context);
    let { points } = result.data;
    for (let cursor = isWhole ? (result.page?.nextCursor ?? null) : null; cursor !== null;) {
      const next = await this.markets.find(key, { ...query, cursor }, context);
      points = [...next.data.points, ...points];
      cursor = next.page?.nextCursor ?? null;
    }
    return { result, points };
  }

  /** The chart and its table. Lines of different units are drawn as an index. */
  private drawn(
    { result: { data }, points }: InstrumentFigures,
    other: InstrumentFigures | null,
    place: ReturnType<typeof placeOf>,
    { locale, today }: RequestContext,
  ) {
    const { name, range, unit } = data;
    const last = points.at(-1)?.period ?? null;
    const rows = points.toReversed().slice(0, ROWS);
    const oldest = rows.at(-1)?.period ?? null;
    const hasOlder = oldest !== null && (range?.figures ?? 0) > rows.length;
    const second = other && { name: other.result.data.name, points: bandOf(other.points, []) };
    const isSame = other === null || other.result.data.unit.label === unit.label;
    const lines = second && !isSame ? indexed(bandOf(points, []), second) : null;
    return {
      chart: lineChart(lines?.points ?? bandOf(points, []), {
        title: chartTitle(this.texts, locale, { name, points: bandOf(points, []), asOf: place.place.asOf }),
        locale,
        name,
        marked: last ?? undefined,
        other: isSame ? second : (lines?.other ?? null),
        unit:
          lines === null
            ? unit.label
            : this.texts.say(locale, 'site.chart.index', { period: formatPeriod(locale, lines.base) }),
      }),
      rows,
      second: other && second && { first: name, name: second.name, figures: other.points },
      total: range?.figures ?? rows.length,
      older: hasOlder ? place.at({ to: shiftedDay(lastDayOf(oldest), -1) }) : null,
      today: place.place.asOf ?? today,
    };
  }
}

const spansOf = (range: InstrumentDetail['range']) =>
  range === null ? [] : spanChoices(range.first, range.last, range.figures);

interface InstrumentFigures {
  readonly result: Result<InstrumentDetail>;
  readonly points: readonly Figure[];
}
