import { Injectable } from '@nestjs/common';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { Locale, Localized } from '../../../domain/locale/locale.js';
import type { Read } from '../../../store/snapshots.js';
import { ChangesService } from '../changes/changes.service.js';
import { COUNTED, CountedSubjects, type SubjectRow, type CountedSet } from '../coverage/counted-subjects.service.js';
import { SignalsService } from '../signals/signals.service.js';
import { topicsResource, type Topic, type TopicDetail } from './topic.schema.js';
import type { TopicEntity } from './topic.entity.js';

interface TopicRow extends SubjectRow, Pick<TopicEntity, 'slug'> {
  readonly coverage: readonly { key: string; name: Localized }[];
}

@Injectable()
export class TopicsService extends CountedSubjects<TopicRow, Topic> {
  protected readonly set: CountedSet = {
    resource: topicsResource,
    filter: 'topic',
    id: 'slug',
    reason: 'no_topic',
    select: `
  SELECT s.slug, ${COUNTED},
         (SELECT coalesce(jsonb_agg(jsonb_build_object('key', d.key, 'name', d.name) ORDER BY d.ordinal), '[]')
            FROM topic_coverage x JOIN coverage_domains d ON d.key = x.coverage WHERE x.topic = s.slug) AS coverage
  FROM topics s`,
  };

  constructor(
    reader: ConsistentReader,
    changes: ChangesService,
    urls: UrlBuilder,
    private readonly signals: SignalsService,
  ) {
    super(reader, changes, urls);
  }

  protected override async also(read: Read, slug: string, locale: Locale): Promise<Pick<TopicDetail, 'signals'>> {
    return { signals: await this.signals.ofTopic(read, slug, locale) };
  }

  protected show(row: TopicRow, locale: Locale): Topic {
    const coverage = row.coverage.map(({ key, name }) => ({ key, name: name[locale] }));
    return { slug: row.slug, ...this.described(row, row.slug, locale), coverage, ...this.counted(row) };
  }
}
