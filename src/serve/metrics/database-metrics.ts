import type { DataSource } from 'typeorm';
import { expectedReleases, type NewestFigure } from '../../domain/figures/timetable.js';
import { NEWEST_FIGURES } from '../../store/sources/newest-figures.js';
import type { Metrics } from './metrics.js';
import { lastKnown, watchGauge, watchTotal } from './sampled.js';

/** The newest import of each publisher: its description begins with the publisher. */
const LAST_IMPORTS = `
  SELECT split_part(description, ':', 1) AS publisher, max(published_at) AS "publishedAt"
  FROM publications WHERE kind IN ('import', 'backfill', 'replace') GROUP BY 1 ORDER BY 1`;

const QUARANTINED = "SELECT count(*)::int AS count FROM held_deliveries WHERE state = 'held'";

const SYNCS = `
  SELECT publisher, max(ended_at) FILTER (WHERE outcome IN ('new', 'nothing new')) AS "succeededAt",
         (array_agg(next_at ORDER BY id DESC) FILTER (WHERE outcome IS NOT NULL))[1] AS "dueAt",
         count(*) FILTER (WHERE outcome = 'failed' AND id > other)::int AS failures,
         jsonb_build_object(
           'new', count(*) FILTER (WHERE outcome = 'new'),
           'nothing_new', count(*) FILTER (WHERE outcome = 'nothing new'),
           'held', count(*) FILTER (WHERE outcome = 'held'),
           'failed', count(*) FILTER (WHERE outcome = 'failed')) AS outcomes
  FROM (SELECT *, coalesce(max(id) FILTER (WHERE outcome <> 'failed') OVER (PARTITION BY publisher), 0) AS other
        FROM sync_attempts) a
  GROUP BY publisher`;

/** The attempts to import a publisher's releases. */
interface SyncState {
  readonly publisher: string;
  /** Of the last attempt that was new or nothing new. */
  readonly succeededAt: Date | null;
  readonly dueAt: Date | null;
  /** Failed attempts since the last one with another outcome. */
  readonly failures: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

type ByPublisher<T> = readonly (T & { readonly publisher: string })[];

const seconds = (date: Date | null): number | null => date && date.getTime() / 1_000;

/** Registers what the database knows of imports, releases and syncs: the same on every instance. */
export function watchDatabase(metrics: Metrics, database: DataSource, dataVersion: () => number): void {
  watchImports(metrics, database, dataVersion);
  watchReleases(metrics, database, dataVersion);
  watchSyncs(metrics, database);
  const quarantined = lastKnown(0, async () => {
    const [row] = await database.query<{ count: number }[]>(QUARANTINED);
    return row?.count ?? 0;
  });
  watchGauge(
    metrics,
    'held_deliveries',
    'Deliveries that the audit held and nobody has accepted or dropped',
    [],
    quarantined,
  );
}

function watchImports(metrics: Metrics, database: DataSource, dataVersion: () => number): void {
  const imports = perVersion(dataVersion, () =>
    database.query<ByPublisher<{ readonly publishedAt: Date }>>(LAST_IMPORTS),
  );
  watchGauge(
    metrics,
    'import_timestamp_seconds',
    'When an import of the publisher was last published',
    ['publisher'],
    async () => (await imports()).map(({ publisher, publishedAt }) => [{ publisher }, seconds(publishedAt)]),
  );
  watchGauge(
    metrics,
    'data_version_timestamp_seconds',
    'When the newest import was published; absent before the first',
    // A label that is never set keeps the series absent until the first import.
    ['never'],
    async () => {
      const times = (await imports()).map(({ publishedAt }) => publishedAt.getTime());
      return times.length === 0 ? [] : [[{}, Math.max(...times) / 1_000]];
    },
  );
}

function watchReleases(metrics: Metrics, database: DataSource, dataVersion: () => number): void {
  const releases = perVersion(dataVersion, async () =>
    expectedReleases(await database.query<NewestFigure[]>(NEWEST_FIGURES)),
  );
  watchGauge(
    metrics,
    'release_expected_timestamp_seconds',
    'When the publisher releases its next figure, by its timetable',
    ['publisher'],
    async () => (await releases()).map(({ publisher, expectedAt }) => [{ publisher }, seconds(expectedAt)]),
  );
  watchGauge(
    metrics,
    'release_overdue_timestamp_seconds',
    'When that release is overdue: the end of the timetable’s grace',
    ['publisher'],
    async () => (await releases()).map(({ publisher, overdueAt }) => [{ publisher }, seconds(overdueAt)]),
  );
}

function watchSyncs(metrics: Metrics, database: DataSource): void {
  const syncs = lastKnown<readonly SyncState[]>([], () => database.query<SyncState[]>(SYNCS));
  const gauge = (name: string, help: string, value: (state: SyncState) => number | null) =>
    watchGauge(metrics, `sync_${name}`, help, ['publisher'], async () =>
      (await syncs()).map((state) => [{ publisher: state.publisher }, value(state)]),
    );
  gauge('success_timestamp_seconds', 'When sync last imported the publisher, or found nothing new', (state) =>
    seconds(state.succeededAt),
  );
  gauge('due_timestamp_seconds', 'When the publisher is due for sync', (state) => seconds(state.dueAt));
  gauge('failures', 'Failed attempts since the last one that did not fail', (state) => state.failures);
  watchTotal(metrics, 'sync_attempts_total', 'Attempts of sync by outcome', ['publisher', 'outcome'], async () =>
    (await syncs()).flatMap(({ publisher, outcomes }) =>
      Object.entries(outcomes).map(([outcome, count]) => [{ publisher, outcome }, count] as const),
    ),
  );
}

/** Registers how late notifications are. */
export function watchLateness(metrics: Metrics, read: () => Promise<number>): void {
  watchGauge(
    metrics,
    'notifications_lateness_seconds',
    'For how long the oldest notification has been due; 0 if none is',
    [],
    lastKnown(0, read),
  );
}

/** Reads again only after the data version has moved. */
function perVersion<Row>(dataVersion: () => number, read: () => Promise<readonly Row[]>) {
  const known = lastKnown<{ readonly at: number | null; readonly rows: readonly Row[] }>(
    { at: null, rows: [] },
    async (last) => {
      const at = dataVersion();
      return at === last.at ? last : { at, rows: await read() };
    },
  );
  return async () => (await known()).rows;
}
