import type { DataSource } from 'typeorm';
import { lastDayOf } from '../../domain/figures/periods.js';
import { expectedReleases, type NewestFigure } from '../../domain/figures/timetable.js';
import { NEWEST_FIGURES } from '../../store/sources/newest-figures.js';
import { listHeld, type HeldDelivery } from '../audit/held-deliveries.js';
import { IMPORTERS } from '../publishers/importers.js';
import { SYNCED_PUBLISHERS } from '../publishers/publisher-names.js';
import { dueTimes } from '../sync/sync.js';
import { syncedPublisher } from '../sync/synced-publishers.js';
import { ownMember } from '../../domain/names/own-member.js';

export interface PublisherStatus {
  readonly publisher: string;
  /** Null: no figure of it is stored. */
  readonly newestPeriod: string | null;
  /** When the next figure is expected; null without one. */
  readonly expectedAt: Date | null;
  /** The timetable's grace is over. */
  readonly isOverdue: boolean;
  /** When `sync` asks it; null: it was never tried, or `sync` does not ask it. */
  readonly syncDueAt: Date | null;
  /** Whether `sync` would ask it now. */
  readonly isDue: boolean;
}

export interface ServiceStatus {
  /** Of PostgreSQL. */
  readonly databaseVersion: string;
  /** Null: nothing has been published. */
  readonly dataVersion: number | null;
  readonly publishedAt: Date | null;
  readonly publishers: readonly PublisherStatus[];
  readonly held: readonly Pick<HeldDelivery, 'id' | 'publisher' | 'vintage' | 'name' | 'heldAt'>[];
}

interface NewestPublication {
  readonly databaseVersion: string;
  readonly dataVersion: number | null;
  readonly publishedAt: Date | null;
}

const NEWEST_PUBLICATION = `
  SELECT current_setting('server_version') AS "databaseVersion", p.data_version AS "dataVersion",
    p.published_at AS "publishedAt"
  FROM (VALUES (1)) AS one LEFT JOIN LATERAL (
    SELECT data_version, published_at FROM publications ORDER BY data_version DESC LIMIT 1) p ON true`;

/** The newest publication, and each publisher that has figures or that `sync` asks, by name. */
export async function readStatus(dataSource: DataSource, now: Date): Promise<ServiceStatus> {
  const [newest] = await dataSource.query<NewestPublication[]>(NEWEST_PUBLICATION);
  if (newest === undefined) throw new Error('The database has no version');
  const held = await listHeld(dataSource, false);
  return {
    ...newest,
    publishers: await publishersOf(dataSource, now),
    held: held.map(({ id, publisher, vintage, name, heldAt }) => ({ id, publisher, vintage, name, heldAt })),
  };
}

async function publishersOf(dataSource: DataSource, now: Date): Promise<PublisherStatus[]> {
  const figures = await dataSource.query<NewestFigure[]>(NEWEST_FIGURES);
  const expected = new Map(expectedReleases(figures).map((one) => [one.publisher, one]));
  const synced = SYNCED_PUBLISHERS.flatMap((name) => ownMember(IMPORTERS, name) ?? []).map(syncedPublisher);
  const due = new Map((await dueTimes({ dataSource }, synced)).map((one) => [one.publisher.importer.publisher, one]));
  const names = new Set([...figures.map(({ publisher }) => publisher), ...due.keys()]);
  return [...names].sort().map((publisher) => {
    const { expectedAt = null, overdueAt = null } = expected.get(publisher) ?? {};
    const sync = due.get(publisher);
    const syncDueAt = sync?.at ?? null;
    return {
      publisher,
      newestPeriod: newestOf(figures, publisher),
      expectedAt,
      syncDueAt,
      isOverdue: overdueAt !== null && overdueAt < now,
      isDue: sync !== undefined && !sync.isRunning && (syncDueAt === null || syncDueAt <= now),
    };
  });
}

function newestOf(figures: readonly NewestFigure[], publisher: string): string | null {
  const periods = figures.flatMap((one) => (one.publisher === publisher ? [one.newest] : []));
  return periods.sort((a, b) => (lastDayOf(a) < lastDayOf(b) ? 1 : -1))[0] ?? null;
}
