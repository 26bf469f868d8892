import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { z } from 'zod';
import { notFound } from '../../domain/errors/api-error.js';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { formatDay, formatPeriod } from '../../domain/locale/format.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { UrlBuilder } from '../../serve/responses/url-builder.service.js';
import { IndicatorSlug } from '../../serve/resources/macro/macro.schema.js';
import { MacroService } from '../../serve/resources/macro/macro.service.js';
import { SitePage } from '../site/site-page.decorator.js';
import { asOfPath, AsOfQuery } from './as-of.schema.js';
import { lineChart } from './chart.js';
import { ageText, cellText, shownText } from './shown-figure.js';
import { PublicPages } from './public-pages.service.js';
import { bandOf } from './series-band.js';
import { datasetOf, sourcesView } from './source.view.js';

export const RegionSegment = z.string().max(10);
/** Rows of the table of figures; the API has all of them. */
const ROWS = 60;

@SitePage()
@Controller('macro')
export class SeriesPageController {
  constructor(
    private readonly pages: PublicPages,
    private readonly macro: MacroService,
    private readonly texts: Texts,
    private readonly urls: UrlBuilder,
  ) {}

  @Get(':indicator/:region')
  show(
    @Req() request: ApiRequest,
    @Query({ schema: AsOfQuery }) { asOf }: AsOfQuery,
    @Param('indicator', { schema: IndicatorSlug }) slug: string,
    @Param('region', { schema: RegionSegment }) code: string,
  ) {
    return this.pages.page(request, `macro ${slug} ${code} ${asOf ?? ''}`, async (context) => {
      const { locale } = context;
      const today = asOf ?? context.today;
      const query = { locale, region: [code], asOf };
      const result = await this.macro
        .find(slug, { ...query, vintages: 'newest' }, context)
        .catch((error: unknown) => {
          throw isUnknownRegion(error) ? notFound('region', 'no_path', code) : error;
        });
      const { indicator, series } = result.data;
      const [held] = series;
      if (held === undefined) throw notFound('region', 'no_path', `${slug}/${code}`);
      const { region, observations } = held;
      const vintages = await this.macro.find(slug, { ...query, vintages: 'all' }, context);
      const latest = observations.findLast(({ value }) => value !== null);
      const name = this.texts.say(locale, 'resources.series', {
        indicator: indicator.name,
        region: region.name,
      });
      const [first, last] = [observations[0]?.period ?? '', observations.at(-1)?.period ?? ''];
      return {
        view: 'series',
        model: {
          title: name,
          ...asOfPath(`/macro/${slug}/${region.code}`, asOf, locale),
          description: indicator.description,
          jsonLd: datasetOf(
            {
              name,
              description: indicator.description,
              url: this.urls.of('macro', slug),
              result,
              temporalCoverage: `${first.slice(0, 4)}/${last.slice(0, 4)}`,
            },
            locale,
          ),
          indicator,
          latest:
            latest === undefined
              ? null
              : {
                  text: shownText(latest, locale, this.texts),
                  period: formatPeriod(locale, latest.period ?? ''),
                  age: ageText(latest.period ?? today, held, { locale, today }, this.texts),
                },
          chart: lineChart(bandOf(observations, vintages.data.series[0]?.observations ?? []), {
            title:
              asOf === undefined
                ? this.texts.say(locale, 'site.figure.vintage_chart', { name })
                : this.texts.say(locale, 'site.figure.known_chart', { name, day: formatDay(locale, asOf) }),
            locale,
            ...(latest?.period != null && { marked: latest.period }),
          }),
          rows: observations
            .toReversed()
            .slice(0, ROWS)
            .map((figure) => ({
              period: formatPeriod(locale, figure.period ?? ''),
              value: figure.value === null ? shownText(figure, locale, this.texts) : cellText(figure),
              knownSince: figure.knownSince === null ? '' : formatDay(locale, figure.knownSince),
            })),
          ...sourcesView([result], locale),
          api: `${this.urls.of('macro', slug)}?region=${region.code}`,
        },
      };
    });
  }
}

/** An unknown region in a path is not found. */
function isUnknownRegion(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'invalid_parameter';
}
