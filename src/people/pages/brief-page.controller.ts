import { Controller, Get, Param, Req } from '@nestjs/common';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { BriefDate, type Brief } from '../../serve/resources/briefs/brief.schema.js';
import { BriefsService } from '../../serve/resources/briefs/briefs.service.js';
import type { Result } from '../../serve/responses/result.js';
import { SitePage } from '../site/site-page.decorator.js';
import { PublicPages } from './public-pages.service.js';

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
      this.rendered(await this.briefs.findLatest(context)),
    );
  }

  @Get(':day')
  show(@Req() request: ApiRequest, @Param('day', { schema: BriefDate }) day: string) {
    return this.pages.page(request, `brief ${day}`, async (context) =>
      this.rendered(await this.briefs.find(day, context)),
    );
  }

  private rendered(result: Result<Brief>) {
    const { title, summary, url, date, previousDate, nextDate } = result.data;
    return {
      view: 'brief',
      results: [result],
      coverage: date,
      model: {
        title,
        path: `/briefs/${date}`,
        description: summary,
        brief: result.data,
        // An earlier brief is a record: only the newest one has an age.
        newest: nextDate === null ? result.data : null,
        previous: previousDate,
        next: nextDate,
        api: url,
      },
    };
  }
}
