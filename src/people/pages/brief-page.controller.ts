import { Controller, Get, Param, Req } from '@nestjs/common';
import type { RequestContext } from '../../serve/responses/request-context.js';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { formatDay } from '../../domain/locale/format.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { BriefDate, type Brief } from '../../serve/resources/briefs/brief.schema.js';
import { BriefsService } from '../../serve/resources/briefs/briefs.service.js';
import type { Result } from '../../serve/responses/result.js';
import { SitePage } from '../site/site-page.decorator.js';
import { ageText } from './shown-figure.js';
import { PublicPages } from './public-pages.service.js';
import { datasetOf, sourcesView } from './source.view.js';

@SitePage()
@Controller('briefs')
export class BriefPageController {
  constructor(
    private readonly pages: PublicPages,
    private readonly briefs: BriefsService,
    private readonly texts: Texts,
  ) {}

  @Get('latest')
  latest(@Req() request: ApiRequest) {
    return this.pages.page(request, 'brief latest', async (context) =>
      this.rendered(await this.briefs.findLatest(context), context),
    );
  }

  @Get(':day')
  show(@Req() request: ApiRequest, @Param('day', { schema: BriefDate }) day: string) {
    return this.pages.page(request, `brief ${day}`, async (context) =>
      this.rendered(await this.briefs.find(day, context), context),
    );
  }

  private rendered(result: Result<Brief>, context: RequestContext) {
    const { locale } = context;
    const {
      title,
      summary,
      url,
      date,
      state,
      compiledUntil,
      sections,
      markets,
      ahead,
      previousDate,
      nextDate,
    } = result.data;
    const neighbour = (day: string | null) =>
      day === null ? null : { path: `/briefs/${day}`, day: formatDay(locale, day) };
    return {
      view: 'brief',
      model: {
        title,
        path: `/briefs/${date}`,
        description: summary,
        listed: true,
        jsonLd: datasetOf({ name: title, description: summary, url, result, temporalCoverage: date }, locale),
        day: formatDay(locale, date),
        // An earlier brief is a record: only the newest one has an age.
        age: nextDate === null ? ageText(date, result.data, context, this.texts) : null,
        state,
        compiledUntil: compiledUntil === null ? null : formatDay(locale, compiledUntil),
        sections: sections.map(({ coverage, items, omitted }) => ({
          name: coverage.name,
          omitted,
          items: items.map(({ headline, changes }) => ({
            headline,
            path: changes[0] === undefined ? null : `/changes/${changes[0].id}`,
          })),
        })),
        markets: markets.map(({ key, name, text }) => ({
          path: `/markets/${key}?asOf=${compiledUntil ?? date}`,
          name,
          text,
        })),
        ahead: ahead.map(({ text: event, id }) => ({
          event,
          path: `/calendar/${id}`,
        })),
        previous: neighbour(previousDate),
        next: neighbour(nextDate),
        ...sourcesView([result], locale),
        api: url,
      },
    };
  }
}
