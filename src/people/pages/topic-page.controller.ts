import { Controller, Get, Param, Req } from '@nestjs/common';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { valuesOf } from '../../serve/resources/changes/change.view.js';
import { TopicSlug } from '../../serve/resources/topics/topic.schema.js';
import { TopicsService } from '../../serve/resources/topics/topics.service.js';
import { UrlBuilder } from '../../serve/responses/url-builder.service.js';
import { SitePage } from '../site/site-page.decorator.js';
import { PublicPages } from './public-pages.service.js';

const CHANGES = 20;

@SitePage()
@Controller('topics')
export class TopicPageController {
  constructor(
    private readonly pages: PublicPages,
    private readonly topics: TopicsService,
    private readonly texts: Texts,
    private readonly urls: UrlBuilder,
  ) {}

  @Get()
  list(@Req() request: ApiRequest) {
    return this.pages.page(request, 'topics', async (context) => {
      const { locale } = context;
      const result = await this.topics.list({ locale }, context);
      return {
        view: 'topics',
        results: [result],
        model: {
          title: this.texts.say(locale, 'site.topics.title'),
          path: '/topics',
          description: this.texts.say(locale, 'site.topics.lead'),
          // Those with something to read first.
          topics: result.data.toSorted((a, b) => Number(b.counts.total > 0) - Number(a.counts.total > 0)),
          api: this.urls.of('topics'),
        },
      };
    });
  }

  @Get(':slug')
  show(@Req() request: ApiRequest, @Param('slug', { schema: TopicSlug }) slug: string) {
    return this.pages.page(request, `topic ${slug}`, async (context) => {
      const { locale } = context;
      const result = await this.topics.find(slug, { locale, limit: CHANGES }, context);
      const { name, description, url } = result.data;
      return {
        view: 'topic',
        results: [result],
        feed: { ...result, data: valuesOf(result.data.changes) },
        model: {
          title: name,
          path: `/topics/${slug}`,
          description,
          crumbs: [{ path: '/topics', name: this.texts.say(locale, 'site.topics.title') }],
          topic: result.data,
          changes: valuesOf(result.data.changes),
          api: url,
        },
      };
    });
  }
}
