import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { RequestContext } from './request-context.js';
import { Heartbeat } from '../../store/heartbeat.js';
import { ReadRouter } from '../../store/read-router.js';
import { singleReads, snapshotOf, type Read } from '../../store/snapshots.js';
import { isUnavailable, ranOutOfTime } from '../../store/unavailable.js';
import { ApiError } from '../../domain/errors/api-error.js';
import type { ParameterFaults } from '../../domain/errors/parameter-faults.js';
import { attributionsOf } from '../../domain/sources/attributions.js';
import { Citations } from '../../domain/sources/citations.js';
import { inSpan } from '../tracing/spans.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { Cursors, type UnsignedPage } from './cursors.service.js';
import { newestVersionOf, readShared, versionOf, type DataDependent, type Shared } from './data-versions.rows.js';
import { fiscalYearNotices } from './fiscal-year-notice.js';
import { medianNotice } from './median-notice.js';
import { freshnessOf, newestOf as newestPeriodOf, ageNotice } from './freshness.js';
import type { Page, Result } from './result.js';
import { waitingNotices } from './waiting-series.js';

/** What a service reads and composes; the reader adds data version, sources and notices from the same moment. */
export interface Draft<Data> extends Pick<Result<Data>, 'data' | 'total' | 'window' | 'nearest' | 'removed' | 'reach'> {
  readonly page?: UnsignedPage;
  readonly notices?: readonly string[];
  /** The newest data version that the last statement saw; without it, the reader asks. */
  readonly newest?: number | undefined;
}

type Work<Data> = (read: Read, cite: Citations) => Promise<Draft<Data>>;
/** Checks parameters against each other and the data. What it returns is whole once nothing is at fault. */
type Checks<Checked> = (read: Read, faults: ParameterFaults) => Promise<Checked>;
type CheckedWork<Data, Checked> = (read: Read, cite: Citations, checked: Checked) => Promise<Draft<Data>>;

interface Outcome<Data> {
  readonly draft: Draft<Data>;
  readonly cited: Citations;
}

/** One read from one database. */
interface ReadTask<Data> {
  readonly dependent: DataDependent;
  readonly context: RequestContext;
  readonly work: Work<Data>;
  /** The oldest data version that may serve this read; 0 for the primary, which is the newest. */
  readonly notBefore: number;
  /** The account whose rows it reads, in a transaction that names it; undefined: content only. */
  readonly accountId?: string;
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
  private shared: Shared | undefined;

  constructor(
    private readonly readRouter: ReadRouter,
    private readonly heartbeat: Heartbeat,
    private readonly cursors: Cursors,
    private readonly texts: Texts,
  ) {}

  /**
   * Reads from the replica if it has the newest data version known here and that of the previous page; else from the
   * primary.
   * @throws ApiError `invalid_parameter` before it reads anything, if a parameter is at fault
   */
  async read<Data>(dependent: DataDependent, context: RequestContext, work: Work<Data>): Promise<Result<Data>> {
    context.faults.refuse();
    return this.readNewest(dependent, context, work);
  }

  /** The same after checks, whose faults join those that the request has already. */
  readChecked<Data, Checked>(
    dependent: DataDependent,
    context: RequestContext,
    checks: Checks<Checked>,
    work: CheckedWork<Data, Checked>,
  ): Promise<Result<Data>> {
    return this.readNewest(dependent, context, async (read, cite) => {
      // Of this attempt: another one may see other data.
      const faults = context.faults.copy();
      const checked = await checks(read, faults);
      faults.refuse();
      return work(read, cite, checked);
    });
  }

  private async readNewest<Data>(
    dependent: DataDependent,
    context: RequestContext,
    work: Work<Data>,
  ): Promise<Result<Data>> {
    const notBefore = Math.max(context.notBefore, this.heartbeat.latest.dataVersion);
    const replica = this.readRouter.replicaAt(notBefore);
    const result = replica === null ? null : await this.tryReplica(replica, { dependent, context, work, notBefore });
    return result ?? this.readNewestPrimary({ dependent, context, work, notBefore: 0 });
  }

  /** Account data is current only on the primary. */
  async readPrimary<Data>(dependent: DataDependent, context: RequestContext, work: Work<Data>): Promise<Result<Data>> {
    context.faults.refuse();
    return this.readNewestPrimary({ dependent, context, work, notBefore: 0, accountId: context.accountId });
  }

  private async readNewestPrimary<Data>(order: ReadTask<Data>): Promise<Result<Data>> {
    const result = await this.readFrom(this.readRouter.primary, order);
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
    return inSpan(`answer ${order.dependent.family}`, { 'tidemark.read_from': by }, () => this.readOn(pool, order));
  }

  private async readOn<Data>(pool: pg.Pool, order: ReadTask<Data>): Promise<Result<Data>> {
    const { shared } = this;
    const { accountId = null, notBefore } = order;
    const isNewest = shared?.dataVersion === this.heartbeat.latest.dataVersion && shared.dataVersion >= notBefore;
    if (accountId === null && isNewest) {
      const reading = await this.readOptimistically(pool, order);
      if (reading?.newest === shared.dataVersion) return this.resultOf(reading, shared, order);
    }
    const work = async (read: Read) => {
      const newest = await newestVersionOf(read);
      if (newest < notBefore) throw new StaleReplicaError();
      const worked = await workWith(read, order.work);
      return this.resultOf(worked, await this.sharedAt(newest, read), order);
    };
    return snapshotOf(pool, work, accountId);
  }

  /** Null if the work failed: only a snapshot can tell whether the failure is real. */
  private async readOptimistically<Data>(
    pool: pg.Pool,
    { work }: ReadTask<Data>,
  ): Promise<(Outcome<Data> & { readonly newest: number }) | null> {
    const read = singleReads(pool);
    try {
      const worked = await workWith(read, work);
      // Of the last statement, or after the work: its reads are no newer than this version.
      return { ...worked, newest: worked.draft.newest ?? (await newestVersionOf(read)) };
    } catch (error) {
      if (isUnavailable(error)) throw error;
      return null;
    }
  }

  /** Sources and versions change only with a data version, so each version reads them once. */
  private async sharedAt(dataVersion: number, read: Read): Promise<Shared> {
    if (this.shared?.dataVersion === dataVersion) return this.shared;
    this.shared = await readShared(read, dataVersion);
    return this.shared;
  }

  private resultOf<Data>(
    { draft, cited }: Outcome<Data>,
    shared: Shared,
    { dependent, context: { locale } }: ReadTask<Data>,
  ): Result<Data> {
    const { data, page, notices = [], newest: _seen, ...more } = draft;
    const row = versionOf(shared.versions, dependent, cited);
    const dataVersion = row?.dataVersion ?? 0;
    const sources = attributionsOf(shared.sources, cited, locale);
    const demanded = sources.flatMap(({ notice }) => (notice === null ? [] : [notice]));
    const newestPeriod = newestPeriodOf(cited.periods);
    const freshness = freshnessOf(cited, newestPeriod, sources);
    const age = ageNotice(cited, shared.waiting, this.texts, locale);
    const median = medianNotice(cited, this.texts, locale);
    const fiscal = fiscalYearNotices(cited, this.texts, locale);
    const waiting = waitingNotices(cited, shared.waiting, this.texts, locale);
    return {
      data,
      dataVersion,
      publishedAt: row?.publishedAt.toISOString() ?? null,
      sources,
      notices: [...new Set([...demanded, ...age, ...median, ...fiscal, ...waiting, ...notices])],
      ...(newestPeriod !== null && { newestPeriod }),
      ...(freshness && { freshness }),
      ...(page && { page: this.signed(page, dataVersion) }),
      ...more,
    };
  }

  private signed({ limit, next }: UnsignedPage, dataVersion: number): Page {
    return { limit, nextCursor: next === null ? null : this.cursors.write(next, dataVersion) };
  }
}

async function workWith<Data>(read: Read, work: Work<Data>): Promise<Outcome<Data>> {
  const cite = new Citations();
  const draft = await work(read, cite);
  return { draft, cited: cite };
}
