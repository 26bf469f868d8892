import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { Result } from '../../responses/result.js';
import type { Read } from '../../../store/snapshots.js';
import { notFound } from '../../../domain/errors/api-error.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { ChangesService } from '../changes/changes.service.js';
import { ONE_SIGNAL, SIGNALS_OF_TOPIC, type SignalItemRow, type SignalRow } from './signal.rows.js';
import { signalsResource, type Signal, type SignalItem } from './signal.schema.js';

@Injectable()
export class SignalsService {
  constructor(
    private readonly reader: ConsistentReader,
    private readonly changes: ChangesService,
    private readonly urls: UrlBuilder,
  ) {}

  /** One signal with the newest of the changes that it rests on. @throws ApiError `not_found` */
  find(id: string, context: RequestContext): Promise<Result<Signal>> {
    const { locale } = context;
    return this.reader.read(signalsResource, context, async (read, cite) => {
      const [row] = await read<SignalRow>(ONE_SIGNAL, [id, locale]);
      if (row === undefined) throw notFound('id', 'no_signal', id);
      const changes = await this.changes.at(read, cite, row.positions, context);
      const { title, summary, rule, status, evidenceClass, total, independent, publishers, byLevel } = row;
      return {
        data: {
          id,
          ...this.urls.links(locale, ['signals', id]),
          title,
          summary,
          rule,
          status,
          evidenceClass,
          coverage: row.coverage.map(({ key, name }) => ({ key, name: name[locale] })),
          topics: row.topics.map(({ slug, name }) => ({ slug, name: name[locale] })),
          countries: [...row.regions],
          evidence: { total, independent, publishers, byLevel },
          changes: row.positions.flatMap((position) => changes.get(position) ?? []),
          sources: cite.sources(row.sources),
          firstSeenAt: row.firstSeen,
          lastSeenAt: row.lastSeen,
        },
      };
    });
  }

  /** Up to twenty signals of a topic inside another response: open ones first, then the newest. */
  async ofTopic(read: Read, topic: string, locale: Locale): Promise<SignalItem[]> {
    const rows = await read<SignalItemRow>(SIGNALS_OF_TOPIC, [topic, locale]);
    return rows.map(({ id, title, status, lastSeen }) => ({
      id,
      ...this.urls.links(locale, ['signals', id]),
      title,
      status,
      lastSeenAt: lastSeen,
    }));
  }
}
