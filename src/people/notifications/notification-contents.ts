import type { DataSource } from 'typeorm';
import { asAccount } from '../../store/account-scope.js';
import { readSnapshot, type Read } from '../../store/snapshots.js';
import { numberOf } from '../../domain/figures/figure.js';
import { named } from '../../serve/following/targets.js';
import type { Locale } from '../../domain/locale/locale.js';
import type { Texts } from '../../domain/locale/texts.service.js';
import { type TargetRow, TargetView } from '../../serve/resources/following/target.view.js';
import type { UrlBuilder } from '../../serve/responses/url-builder.service.js';
import { readSources } from '../../store/sources/source.rows.js';
import { attributionsOf } from '../../domain/sources/attributions.js';
import { Citations } from '../../domain/sources/citations.js';
import type { SourceAttribution } from '../../domain/sources/source.schema.js';

/** An alert, and the event that it is notified of; without an event it is a test. */
export interface NotificationSubject {
  readonly alertId: string | null;
  readonly eventPosition: number | null;
}

/** What a notification says about an alert, in one language, in the shape of `/api/v1/alerts`. */
export interface AlertContent {
  readonly id: string;
  /** As the account wrote it. */
  readonly name: string;
  readonly target: ReturnType<TargetView['show']>;
  readonly condition: { readonly metric: string; readonly threshold: number | null };
}

export interface EventContent {
  readonly changeId: string | null;
  readonly headline: string;
  /** Null where a figure made no change. */
  readonly summary: string | null;
  readonly url: string;
  readonly page?: string | undefined;
  readonly at: string;
  readonly sources: readonly string[];
}

export interface NotificationContent {
  readonly alert: AlertContent;
  /** Null in a test. */
  readonly event: EventContent | null;
}

export interface NotificationTexts {
  /** By `contentKey`; without those whose change was withdrawn or whose source is withheld. */
  readonly contents: ReadonlyMap<string, NotificationContent>;
  readonly sources: readonly SourceAttribution[];
}

interface ContentRow extends TargetRow {
  readonly alertId: string;
  readonly label: string;
  readonly metric: string;
  readonly threshold: string | null;
  readonly position: number | null;
  readonly changeId: string | null;
  readonly headline: string | null;
  readonly summary: string | null;
  readonly at: Date | null;
  readonly source: string | null;
  readonly origins: readonly string[];
}

/** $1 alerts, $2 positions of events (null for a test), $3 locale. As `ALERTS_PAGE`, it returns nothing withheld. */
export const CONTENTS = `
  SELECT a.id AS "alertId", a.name AS label, a.target_type AS type, a.target_key AS key, n.name, n.region, a.metric,
         a.threshold::text, k.position, e.change_id AS "changeId",
         coalesce(e.headline, c.headline) ->> $3::text AS headline, c.summary ->> $3::text AS summary, e.at,
         coalesce(s.source_id, c.source_id) AS source, coalesce(s.origins, '{}') AS origins
  FROM unnest($1::text[], $2::bigint[]) AS k (alert, position)
    JOIN alerts a ON a.id = k.alert
    LEFT JOIN alert_events e ON e.alert_id = k.alert AND e.position = k.position
    LEFT JOIN changes c ON c.id = e.change_id
    LEFT JOIN series s ON s.id = coalesce(e.series_id, c.series_id)
    LEFT JOIN LATERAL (${named('a.target_type', 'a.target_key')}) n ON true
  WHERE k.position IS NULL
    OR (c.status IS DISTINCT FROM 'withdrawn' AND (s.id IS NOT NULL OR c.series_id IS NULL)
        AND coalesce(s.source_id, c.source_id) IS NOT NULL)`;

export const contentKey = ({ alertId, eventPosition }: NotificationSubject): string =>
  `${alertId ?? ''}/${String(eventPosition)}`;

/** Reads what notifications say, as the API's role: it sees no e-mail address, and nothing withheld. */
export class NotificationContents {
  private readonly targets: TargetView;

  constructor(
    private readonly open: () => Promise<DataSource>,
    private readonly urls: UrlBuilder,
    texts: Texts,
  ) {
    this.targets = new TargetView(urls, texts);
  }

  async read(accountId: string, subjects: readonly NotificationSubject[], locale: Locale): Promise<NotificationTexts> {
    const ofAlerts = subjects.filter(({ alertId }) => alertId !== null);
    if (ofAlerts.length === 0) return { contents: new Map(), sources: [] };
    return readSnapshot(await this.open(), (read) => this.compose(read, ofAlerts, locale), accountId);
  }

  async ownsAlert(accountId: string, alertId: string): Promise<boolean> {
    const ask = 'SELECT 1 FROM alerts WHERE id = $1 AND account_id = $2';
    const rows = await asAccount(await this.open(), accountId, (manager) =>
      manager.query<object[]>(ask, [alertId, accountId]),
    );
    return rows.length > 0;
  }

  private async compose(
    read: Read,
    subjects: readonly NotificationSubject[],
    locale: Locale,
  ): Promise<NotificationTexts> {
    const cite = new Citations();
    const rows = await read<ContentRow>(CONTENTS, [
      subjects.map(({ alertId }) => alertId),
      subjects.map(({ eventPosition }) => eventPosition),
      locale,
    ]);
    const contents = new Map(
      rows.map((row) => [
        contentKey({ alertId: row.alertId, eventPosition: row.position }),
        this.show(row, locale, cite),
      ]),
    );
    return { contents, sources: attributionsOf(await readSources(read), cite, locale) };
  }

  private show(row: ContentRow, locale: Locale, cite: Citations): NotificationContent {
    const { alertId, label, type, key, name, region, metric, threshold } = row;
    const target = this.targets.show({ type, key, name, region }, locale);
    const alert = { id: alertId, name: label, target, condition: { metric, threshold: numberOf(threshold) } };
    const { changeId, headline, summary, at, source, origins } = row;
    if (headline === null || at === null || source === null) return { alert, event: null };
    const links =
      changeId === null ? { url: target.url, page: target.page } : this.urls.links(locale, ['changes', changeId]);
    const sources = cite.sources([source, ...origins]);
    return { alert, event: { changeId, headline, summary, ...links, at: at.toISOString(), sources } };
  }
}
