import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { Result } from '../../responses/result.js';
import { notFound } from '../../../domain/errors/api-error.js';
import { nearestMembers } from '../closed-sets.rows.js';
import type { Locale, Localized } from '../../../domain/locale/locale.js';
import type { WithChanges } from '../changes/change.view.js';
import { dayOf } from '../../../domain/figures/periods.js';
import type { CountedQuery } from '../coverage/coverage.schema.js';
import { optionalLowerBound } from '../parameters.schema.js';
import { publishedFrom } from '../removals.rows.js';
import { ChangesService } from '../changes/changes.service.js';
import { SignalsService } from '../signals/signals.service.js';
import { topicsResource, type Topic, type TopicDetail, type TopicQuery } from './topic.schema.js';
import type { TopicEntity } from './topic.entity.js';

interface TopicRow extends Omit<TopicEntity, 'ordinal' | 'dataVersion'> {
  readonly coverage: readonly { key: string; name: Localized }[];
}

export type TopicNames = Pick<TopicEntity, 'slug' | 'name'>;

const TOPICS = `
  SELECT t.slug, t.name, t.description, t.changes_7 AS days7, t.changes_30 AS days30, t.changes_total AS total,
         t.latest_change_at AS "latestChangeAt",
         (SELECT coalesce(jsonb_agg(jsonb_build_object('key', d.key, 'name', d.name) ORDER BY d.ordinal), '[]')
            FROM topic_coverage x JOIN coverage_domains d ON d.key = x.coverage WHERE x.topic = t.slug) AS coverage
  FROM topics t`;

@Injectable()
export class TopicsService {
  constructor(
    private readonly reader: ConsistentReader,
    private readonly changes: ChangesService,
    private readonly signals: SignalsService,
    private readonly urls: UrlBuilder,
  ) {}

  /** All topics, in the catalogue's order. */
  list({ publishedSince }: CountedQuery, context: RequestContext): Promise<Result<Topic[]>> {
    return this.reader.read(topicsResource, context, async (read) => {
      const since = optionalLowerBound(publishedSince);
      const rows = await (since === undefined
        ? read<TopicRow>(`${TOPICS} ORDER BY t.ordinal`)
        : read<TopicRow>(`${TOPICS} WHERE ${publishedFrom('t.data_version', '$1')} ORDER BY t.ordinal`, [
            since,
          ]));
      return { data: rows.map((row) => this.show(row, context.locale)) };
    });
  }

  /** The slug and names of every topic, in the catalogue's order. */
  names(context: RequestContext): Promise<Result<TopicNames[]>> {
    return this.reader.read(topicsResource, context, async (read) => ({
      data: await read<TopicNames>('SELECT slug, name FROM topics ORDER BY ordinal'),
    }));
  }

  /** One topic with a page of its changes. @throws ApiError `not_found` */
  find(slug: string, query: TopicQuery, context: RequestContext): Promise<Result<WithChanges<TopicDetail>>> {
    return this.reader.read(topicsResource, context, async (read, cite) => {
      const [row] = await read<TopicRow>(`${TOPICS} WHERE t.slug = $1`, [slug]);
      if (row === undefined)
        throw notFound('slug', 'no_topic', slug, await nearestMembers(read, 'topic', slug));
      const filter = { topic: slug, publishedFrom: optionalLowerBound(query.publishedSince) };
      const request = { ...query, scope: { route: 'topics', filters: filter } };
      const { data, page } = await this.changes.page(read, cite, filter, request, context);
      const signals = await this.signals.ofTopic(read, slug, context.locale);
      return { data: { ...this.show(row, context.locale), signals, changes: data }, page };
    });
  }

  private show(row: TopicRow, locale: Locale): Topic {
    const { slug, name, description, coverage, days7, days30, total, latestChangeAt } = row;
    return {
      slug,
      url: this.urls.of('topics', slug),
      name: name[locale],
      description: description[locale],
      coverage: coverage.map((domain) => ({ key: domain.key, name: domain.name[locale] })),
      counts: { days7, days30, total },
      latestChangeAt: latestChangeAt === null ? null : dayOf(latestChangeAt),
    };
  }
}
