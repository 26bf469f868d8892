import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { CallContext } from '../access/call-context.js';
import { Pulse } from '../database/pulse.js';
import { Readers } from '../database/readers.js';
import { singleReads, snapshotOf, type Read } from '../database/snapshots.js';
import { isUnavailable, ranOutOfTime } from '../database/unavailable.js';
import { ApiError } from '../errors/api-error.js';
import { attributionsOf, readSources, type Sources } from '../sources/attributions.js';
import { Citations } from '../sources/citations.js';
import { inSpan } from '../tracing/spans.js';
import { Cursors } from './cursors.service.js';
import type { Family, Page, Result } from './result.js';

/** What a service reads and composes; the archive adds revision, sources and notices from the same moment. */
export interface Draft<Data> {
  readonly data: Data;
  readonly page?: Page;
  readonly window?: Result<Data>['window'];
  readonly nearest?: Result<Data>['nearest'];
  readonly reach?: Result<Data>['reach'];
  readonly notices?: readonly string[];
}

interface RevisionRow {
  /** The newest of all. */
  readonly newest: number;
  /** The newest that changed the family. */
  readonly revision: number | null;
  readonly publishedAt: Date | null;
}

const REVISION = `
  SELECT n.newest, r.id AS revision, r.published_at AS "publishedAt"
  FROM (SELECT coalesce(max(id), 0) AS newest FROM revisions) n
  LEFT JOIN resource_families f ON f.family = $1
  LEFT JOIN revisions r ON r.id = f.revision_id`;

type Work<Data> = (read: Read, cite: Citations) => Promise<Draft<Data>>;

interface Reading<Data> {
  readonly draft: Draft<Data>;
  readonly cited: readonly string[];
  readonly row: RevisionRow;
}

/** What is asked of one database. */
interface Order<Data> {
  readonly family: Family;
  readonly call: CallContext;
  readonly work: Work<Data>;
  /** The oldest revision whose state may answer. */
  readonly notBefore: number;
}

/** The database that was read is older than it has to be. */
class Behind extends Error {}

/**
 * All content is read through here, and no answer mixes two revisions. Content changes with a revision only, and
 * revisions come one after another: statements between which none came have seen one state, which spares most
 * answers a transaction's round trips. Where one did come, the answer is read again in a snapshot.
 */
@Injectable()
export class Archive {
  private held: { readonly revision: number; readonly sources: Sources } | undefined;

  constructor(
    private readonly readers: Readers,
    private readonly pulse: Pulse,
    private readonly cursors: Cursors,
  ) {}

  /** On the replica, where that has the newest revision known here and that of the page before; else on the primary. */
  async answer<Data>(family: Family, call: CallContext, work: Work<Data>): Promise<Result<Data>> {
    const notBefore = Math.max(call.notBefore, this.pulse.latest.revision);
    const replica = this.readers.replicaWith(notBefore);
    const result =
      replica === null ? null : await this.tryReplica(replica, { family, call, work, notBefore });
    return result ?? this.answerOwn(family, call, work);
  }

  /** What belongs to an account is true on the primary at once, and anywhere else later. */
  async answerOwn<Data>(family: Family, call: CallContext, work: Work<Data>): Promise<Result<Data>> {
    // The primary has the last word: there is nothing newer to wait for.
    const result = await this.read(this.readers.primary, { family, call, work, notBefore: 0 });
    this.readers.count('primary');
    return result;
  }

  /** Null where the replica cannot give the answer, for whatever reason: the primary is asked then. */
  private async tryReplica<Data>(replica: pg.Pool, order: Order<Data>): Promise<Result<Data> | null> {
    try {
      const result = await this.read(replica, order);
      this.readers.count('replica');
      return result;
    } catch (error) {
      // Said in a snapshot that is as new as this instance knows, and what is there stays there: the primary would say the
      // same. But what is not there may have been published since, and shown by another instance.
      if (error instanceof ApiError && error.code !== 'not_found') throw error;
      // A statement that has had all its time here would have no better there, and the client would wait twice.
      if (ranOutOfTime(error)) throw error;
      this.readers.countFallback();
      return null;
    }
  }

  private read<Data>(pool: pg.Pool, order: Order<Data>): Promise<Result<Data>> {
    const by = pool === this.readers.primary ? 'primary' : 'replica';
    return inSpan(`answer ${order.family}`, { 'tidemark.read_from': by }, () => this.readOn(pool, order));
  }

  private async readOn<Data>(pool: pg.Pool, order: Order<Data>): Promise<Result<Data>> {
    const { held } = this;
    if (held?.revision === this.pulse.latest.revision && held.revision >= order.notBefore) {
      const reading = await this.readLoosely(pool, order);
      if (reading?.row.newest === held.revision) return this.resultOf(reading, held.sources, order.call);
    }
    return snapshotOf(pool, async (read) => {
      const row = await revisionOf(read, order.family);
      if (row.newest < order.notBefore) throw new Behind();
      const reading = { ...(await workWith(read, order.work)), row };
      return this.resultOf(reading, await this.sourcesAt(row.newest, read), order.call);
    });
  }

  /** Null where the work failed: whether rightly, only a snapshot can say. */
  private async readLoosely<Data>(
    pool: pg.Pool,
    { family, work }: Order<Data>,
  ): Promise<Reading<Data> | null> {
    const read = singleReads(pool);
    try {
      const worked = await workWith(read, work);
      // After the work: what it read is no newer than this.
      return { ...worked, row: await revisionOf(read, family) };
    } catch (error) {
      if (isUnavailable(error)) throw error;
      return null;
    }
  }

  /** Sources change with a revision only, so they are read once in each. */
  private async sourcesAt(revision: number, read: Read): Promise<Sources> {
    if (this.held?.revision === revision) return this.held.sources;
    const sources = await readSources(read);
    this.held = { revision, sources };
    return sources;
  }

  private resultOf<Data>(
    { draft, cited, row }: Reading<Data>,
    held: Sources,
    { locale }: CallContext,
  ): Result<Data> {
    const { data, page, window, nearest, reach, notices = [] } = draft;
    const revision = row.revision ?? 0;
    const sources = attributionsOf(held, cited, locale);
    const demanded = sources.flatMap(({ notice }) => (notice === null ? [] : [notice]));
    return {
      data,
      revision,
      publishedAt: row.publishedAt?.toISOString() ?? null,
      sources,
      notices: [...new Set([...demanded, ...notices])],
      ...(page && { page: this.stamped(page, revision) }),
      ...(window && { window }),
      ...(nearest && { nearest }),
      ...(reach && { reach }),
    };
  }

  private stamped({ limit, nextCursor }: Page, revision: number): Page {
    return { limit, nextCursor: nextCursor === null ? null : this.cursors.stamp(nextCursor, revision) };
  }
}

async function workWith<Data>(read: Read, work: Work<Data>): Promise<Omit<Reading<Data>, 'row'>> {
  const cite = new Citations();
  const draft = await work(read, cite);
  return { draft, cited: cite.cited };
}

async function revisionOf(read: Read, family: Family): Promise<RevisionRow> {
  const [row] = await read<RevisionRow>(REVISION, [family]);
  if (row === undefined) throw new Error('The revision query gives one row');
  return row;
}
