import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { formatDay, formatPeriod } from '../../domain/locale/format.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { InstrumentKey } from '../../serve/resources/markets/market.schema.js';
import { MarketsService } from '../../serve/resources/markets/markets.service.js';
import { SitePage } from '../site/site-page.decorator.js';
import { asOfPath, MarketPageQuery } from './as-of.schema.js';
import { lineChart } from './chart.js';
import { ageText, cellText, differenceText, shownText } from './shown-figure.js';
import { PublicPages } from './public-pages.service.js';
import { datasetOf, sourcesView } from './source.view.js';

/** About a year of trading days in the chart, two months of them in the table. */
const POINTS = 250;
const ROWS = 40;

@SitePage()
@Controller('markets')
export class MarketPageController {
  constructor(
    private readonly pages: PublicPages,
    private readonly markets: MarketsService,
    private readonly texts: Texts,
  ) {}

  @Get(':key')
  show(
    @Req() request: ApiRequest,
    @Query({ schema: MarketPageQuery }) { asOf, to }: MarketPageQuery,
    @Param('key', { schema: InstrumentKey }) key: string,
  ) {
    return this.pages.page(request, `market ${key} ${asOf ?? ''} ${to ?? ''}`, async (context) => {
      const { locale } = context;
      const today = asOf ?? context.today;
      const result = await this.markets.find(key, { locale, points: POINTS, asOf, to }, context);
      const { data } = result;
      const { name, description, quote, points } = data;
      const [first, last] = [points[0]?.period ?? '', points.at(-1)?.period ?? ''];
      const title = this.texts.say(locale, 'site.figure.chart', {
        name,
        from: formatPeriod(locale, first === '' ? '2000' : first),
        to: formatPeriod(locale, last === '' ? '2000' : last),
      });
      return {
        view: 'market',
        model: {
          title: name,
          ...asOfPath(`/markets/${key}`, asOf, locale, to),
          description,
          jsonLd: datasetOf({ name, description, url: data.url, result }, locale),
          instrument: data,
          quote:
            quote === null
              ? null
              : {
                  text: shownText(quote.last, locale, this.texts),
                  period: formatPeriod(locale, quote.last.period ?? ''),
                  age: ageText(quote.last.period ?? today, quote, { locale, today }, this.texts),
                  previous: shownText(quote.previous, locale, this.texts),
                  previousPeriod: formatPeriod(locale, quote.previous.period ?? ''),
                  change: differenceText(quote.previous, quote.last, locale),
                },
          chart: lineChart(
            points.map(({ period, value }) => ({ label: period ?? '', value })),
            { title, locale, marked: last },
          ),
          rows: points
            .toReversed()
            .slice(0, ROWS)
            .map((figure) => ({
              period: formatPeriod(locale, figure.period ?? ''),
              value: cellText(figure),
              knownSince: figure.knownSince === null ? '' : formatDay(locale, figure.knownSince),
            })),
          ...sourcesView([result], locale),
          api: data.url,
        },
      };
    });
  }
}
