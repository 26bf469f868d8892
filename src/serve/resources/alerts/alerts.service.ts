import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import { Cursors } from '../../responses/cursors.service.js';
import type { Result } from '../../responses/result.js';
import { numberOf } from '../../../domain/figures/figure.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { Texts } from '../../../domain/locale/texts.service.js';
import type { Citations } from '../../../domain/sources/citations.js';
import { TargetView } from '../following/target.view.js';
import { ALERT_POSITION, ALERTS_PAGE, type AlertRow } from './alert.rows.js';
import { alertsResource, type Alert, type AlertsQuery } from './alert.schema.js';

/** Greater than any position. */
const TOP = Number.MAX_SAFE_INTEGER;

@Injectable()
export class AlertsService {
  private readonly targets: TargetView;

  constructor(
    private readonly reader: ConsistentReader,
    private readonly cursors: Cursors,
    private readonly urls: UrlBuilder,
    texts: Texts,
  ) {
    this.targets = new TargetView(urls, texts);
  }

  /** The account's alerts, newest first. */
  list({ limit, cursor }: AlertsQuery, context: RequestContext): Promise<Result<Alert[]>> {
    const { accountId } = context;
    const scope = { route: 'alerts', filters: { accountId } };
    return this.reader.readPrimary(alertsResource, context, async (read, cite) => {
      const below = cursor === undefined ? TOP : this.cursors.read(scope, cursor);
      const rows = await read<AlertRow>(ALERTS_PAGE, [accountId, below, limit + 1, context.locale]);
      const { shown, page } = this.cursors.page(rows, limit, scope, ({ position }) => position);
      return { data: shown.map((row) => this.show(row, context.locale, cite)), page };
    });
  }

  /** One alert of the account; null for an id that is not its own. */
  find(id: string, context: RequestContext): Promise<Result<Alert | null>> {
    const { accountId, locale } = context;
    return this.reader.readPrimary(alertsResource, context, async (read, cite) => {
      const [alert] = await read<{ position: number }>(ALERT_POSITION, [accountId, id]);
      if (alert === undefined) return { data: null };
      const [row] = await read<AlertRow>(ALERTS_PAGE, [accountId, alert.position + 1, 1, locale]);
      return { data: row === undefined ? null : this.show(row, locale, cite) };
    });
  }

  private show(row: AlertRow, locale: Locale, cite: Citations): Alert {
    const { id, label, type, key, name, region, metric, threshold, state, createdAt } = row;
    const target = this.targets.show({ type, key, name, region }, locale);
    const events = (row.events ?? []).map(({ changeId, headline, at, source, origins }) => ({
      changeId,
      ...(changeId === null ? { url: target.url, page: target.page } : this.urls.links(locale, ['changes', changeId])),
      headline,
      at: new Date(at).toISOString(),
      sources: cite.sources([source, ...origins]),
    }));
    return {
      id,
      name: label,
      target,
      condition: { metric, threshold: numberOf(threshold) },
      state,
      createdAt: createdAt.toISOString(),
      lastTriggeredAt: events[0]?.at ?? null,
      events,
    };
  }
}
