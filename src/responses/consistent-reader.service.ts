import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { RequestContext } from './request-context.js';
import { Heartbeat } from '../database/heartbeat.js';
import { ReadRouter } from '../database/read-router.js';
import { singleReads, snapshotOf, type Read } from '../database/snapshots.js';
import { isUnavailable, ranOutOfTime } from '../database/unavailable.js';
import { ApiError } from '../errors/api-error.js';
import { attributionsOf, readSources, type Sources } from '../sources/attributions.js';
import { Citations } from '../sources/citations.js';
import { inSpan } from '../tracing/spans.js';
import { Texts } from '../locale/texts.service.js';
import { Cursors } from './cursors.service.js';
import { freshnessOf, newestOf, overdueNotice } from './freshness.js';
import type { Resource } from './resource.js';
import type { Page, Result } from './result.js';

/** What a service reads and composes; the reader adds data version, sources and notices from the same moment. */
export interface Draft<Data> {
  readonly data: Data;
  readonly page?: Page;
  readonly window?: Result<Data>['window'];
  readonly nearest?: Result<Data>['nearest'];
  readonly removed?: Result<Data>['removed'];
  readonly reach?: Result<Data>['reach'];
  readonly notices?: readonly string[];
}

interface VersionRow {
  /** The newest of all families. */
  readonly newest: number;
  /** The newest that changed what the response rests on. */
  readonly dataVersion: number | null;
  readonly publishedAt: Date | null;
}

const NEWEST_VERSION = 'SELECT coalesce(max(data_version), 0) AS newest FROM publications';

/** $1 what the response rests on */
const VERSION = `
  SELECT n.newest, r.data_version AS "dataVersion", r.published_at AS "publishedAt"
  FROM (${NEWEST_VERSION}) n
  LEFT JOIN publications r
    ON r.data_version = (SELECT max(data_version) FROM resource_families WHERE family = ANY ($1))`;

/** A response about one indicator or instrument rests on that subject, not on its whole family. */
type DataDependent = Pick<Resource, 'family'> & { readonly subject?: string };
type Work<Data> = (read: Read, cite: Citations) => Promise<Draft<Data>>;

interface Outcome<Data> {
  readonly draft: Draft<Data>;
  readonly cited: Citations;
  readonly row: VersionRow;
}

/** One read from one database. */
interface ReadTask<Data> {
  readonly dependent: DataDependent;
  readonly context: RequestContext;
  readonly work: Work<Data>;
  /** The oldest data version that may serve this read. */
  readonly notBefore: number;
}

/** The replica is older than the request requires. */
class StaleReplicaError extends Error {}

/**
 * The only reader of content: no response mixes two data versions. Content changes only with a data version, and data
 * versions are sequential, so statements that start and end within one version see one state. That spares most
 * responses the round trips of a transaction. If a new version arrives in between, the read is repeated in a
 * snapshot.
 */
@Injectable()
export class ConsistentReader {
  private cachedSources: { readonly dataVersion: number; readonly sources: Sources } | undefined;

  constructor(
    private readonly readRouter: ReadRouter,
    private readonly heartbeat: Heartbeat,
    private readonly cursors: Cursors,
    private readonly texts: Texts,
  ) {}

  /**
   * Reads from the replica if it has the newest data version known here and that of the previous page; else from the
   * primary.
   */
  async read<Data>(
    dependent: DataDependent,
    context: RequestContext,
    work: Work<Data>,
  ): Promise<Result<Data>> {
    const notBefore = Math.max(context.notBefore, this.heartbeat.latest.dataVersion);
    const replica = this.readRouter.replicaAt(notBefore);
    const result =
      replica === null ? null : await this.tryReplica(replica, { dependent, context, work, notBefore });
    return result ?? this.readPrimary(dependent, context, work);
  }

  /** Account data is current only on the primary. */
  async readPrimary<Data>(
    dependent: DataDependent,
    context: RequestContext,
    work: Work<Data>,
  ): Promise<Result<Data>> {
    // The primary is the newest: nothing to wait for.
    const result = await this.readFrom(this.readRouter.primary, { dependent, context, work, notBefore: 0 });
    this.readRouter.count('primary');
    return result;
  }

  /** Null if the replica fails: the caller then reads from the primary. */
  private async tryReplica<Data>(replica: pg.Pool, order: ReadTask<Data>): Promise<Result<Data> | null> {
    try {
      const result = await this.readFrom(replica, order);
      this.readRouter.count('replica');
      return result;
    } catch (error) {
      // The replica is current, so the primary would return the same error; except not_found, which may have been published
      // since.
      if (error instanceof ApiError && error.code !== 'not_found') throw error;
      // A statement that timed out here would time out on the primary too, and the client would wait twice.
      if (ranOutOfTime(error)) throw error;
      this.readRouter.countFallback();
      return null;
    }
  }

  private readFrom<Data>(pool: pg.Pool, order: ReadTask<Data>): Promise<Result<Data>> {
    const by = pool === this.readRouter.primary ? 'primary' : 'replica';
    return inSpan(`answer ${order.dependent.family}`, { 'tidemark.read_from': by }, () =>
      this.readOn(pool, order),
    );
  }

  private async readOn<Data>(pool: pg.Pool, order: ReadTask<Data>): Promise<Result<Data>> {
    const { cachedSources } = this;
    if (
      cachedSources?.dataVersion === this.heartbeat.latest.dataVersion &&
      cachedSources.dataVersion >= order.notBefore
    ) {
      const reading = await this.readOptimistically(pool, order);
      if (reading?.row.newest === cachedSources.dataVersion)
        return this.resultOf(reading, cachedSources.sources, order.context);
    }
    return snapshotOf(pool, async (read) => {
      const [version] = await read<Pick<VersionRow, 'newest'>>(NEWEST_VERSION);
      const newest = version?.newest ?? 0;
      if (newest < order.notBefore) throw new StaleReplicaError();
      const worked = await workWith(read, order.work);
      const row = await versionOf(read, order.dependent, worked.cited);
      return this.resultOf({ ...worked, row }, await this.sourcesAt(newest, read), order.context);
    });
  }

  /** Null if the work failed: only a snapshot can tell whether the failure is real. */
  private async readOptimistically<Data>(
    pool: pg.Pool,
    { dependent, work }: ReadTask<Data>,
  ): Promise<Outcome<Data> | null> {
    const read = singleReads(pool);
    try {
      const worked = await workWith(read, work);
      // After the work: its reads are no newer than this version.
      return { ...worked, row: await versionOf(read, dependent, worked.cited) };
    } catch (error) {
      if (isUnavailable(error)) throw error;
      return null;
    }
  }

  /** Sources change only with a data version, so each version reads them once. */
  private async sourcesAt(dataVersion: number, read: Read): Promise<Sources> {
    if (this.cachedSources?.dataVersion === dataVersion) return this.cachedSources.sources;
    const sources = await readSources(read);
    this.cachedSources = { dataVersion, sources };
    return sources;
  }

  private resultOf<Data>(
    { draft, cited, row }: Outcome<Data>,
    held: Sources,
    { locale }: RequestContext,
  ): Result<Data> {
    const { data, page, window, nearest, removed, reach, notices = [] } = draft;
    const dataVersion = row.dataVersion ?? 0;
    const sources = attributionsOf(held, cited, locale);
    const demanded = sources.flatMap(({ notice }) => (notice === null ? [] : [notice]));
    const newestPeriod = newestOf(cited.periods);
    const freshness = freshnessOf(cited, newestPeriod, sources);
    const overdue = freshness?.stale === true ? overdueNotice(cited, this.texts, locale) : [];
    return {
      data,
      dataVersion,
      publishedAt: row.publishedAt?.toISOString() ?? null,
      sources,
      notices: [...new Set([...demanded, ...overdue, ...notices])],
      ...(newestPeriod !== null && { newestPeriod }),
      ...(freshness && { freshness }),
      ...(page && { page: this.stamped(page, dataVersion) }),
      ...(window && { window }),
      ...(nearest && { nearest }),
      ...(removed && { removed }),
      ...(reach && { reach }),
    };
  }

  private stamped({ limit, nextCursor }: Page, dataVersion: number): Page {
    return { limit, nextCursor: nextCursor === null ? null : this.cursors.stamp(nextCursor, dataVersion) };
  }
}

async function workWith<Data>(read: Read, work: Work<Data>): Promise<Omit<Outcome<Data>, 'row'>> {
  const cite = new Citations();
  const draft = await work(read, cite);
  return { draft, cited: cite };
}

async function versionOf(
  read: Read,
  { family, subject }: DataDependent,
  { cited }: Citations,
): Promise<VersionRow> {
  const [row] = await read<VersionRow>(VERSION, [
    [
      subject === undefined ? family : `${family}/${subject}`,
      'catalogue',
      ...cited.map((id) => `sources/${id}`),
    ],
  ]);
  if (row === undefined) throw new Error('The query of the data version gives one row');
  return row;
}
