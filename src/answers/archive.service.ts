import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { CallContext } from '../access/call-context.js';
import { Pulse } from '../database/pulse.js';
import { readSnapshot, singleReads, type Read } from '../database/snapshots.js';
import { isUnavailable } from '../database/unavailable.js';
import { attributionsOf, readSources, type Sources } from '../sources/attributions.js';
import { Citations } from '../sources/citations.js';
import type { Family, Page, Result } from './result.js';

export const CONTENT_DATABASE = Symbol('content database');

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

/**
 * All content is read through here, and no answer mixes two revisions. Content changes with a revision only, and
 * revisions come one after another: statements between which none came have seen one state, which spares most
 * answers a transaction's round trips. Where one did come, the answer is read again in a snapshot.
 */
@Injectable()
export class Archive {
  private held: { readonly revision: number; readonly sources: Sources } | undefined;

  constructor(
    @Inject(CONTENT_DATABASE) private readonly database: DataSource,
    private readonly pulse: Pulse,
  ) {}

  async answer<Data>(family: Family, call: CallContext, work: Work<Data>): Promise<Result<Data>> {
    const { held } = this;
    if (held?.revision === this.pulse.latest.revision) {
      const reading = await this.readLoosely(family, work);
      if (reading?.row.newest === held.revision) return resultOf(reading, held.sources, call);
    }
    return readSnapshot(this.database, async (read) => {
      const reading = await readWith(read, family, work);
      return resultOf(reading, await this.sourcesAt(reading.row.newest, read), call);
    });
  }

  /** Null where the work failed: whether rightly, only a snapshot can say. */
  private async readLoosely<Data>(family: Family, work: Work<Data>): Promise<Reading<Data> | null> {
    try {
      return await readWith(singleReads(this.database), family, work);
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
}

async function readWith<Data>(read: Read, family: Family, work: Work<Data>): Promise<Reading<Data>> {
  const cite = new Citations();
  const draft = await work(read, cite);
  // After the work: what it read is no newer than this.
  const [row] = await read<RevisionRow>(REVISION, [family]);
  if (row === undefined) throw new Error('The revision query gives one row');
  return { draft, cited: cite.cited, row };
}

function resultOf<Data>(
  { draft, cited, row }: Reading<Data>,
  held: Sources,
  { locale }: CallContext,
): Result<Data> {
  const { data, page, window, nearest, reach, notices = [] } = draft;
  const sources = attributionsOf(held, cited, locale);
  const demanded = sources.flatMap(({ notice }) => (notice === null ? [] : [notice]));
  return {
    data,
    revision: row.revision ?? 0,
    publishedAt: row.publishedAt?.toISOString() ?? null,
    sources,
    notices: [...new Set([...demanded, ...notices])],
    ...(page && { page }),
    ...(window && { window }),
    ...(nearest && { nearest }),
    ...(reach && { reach }),
  };
}
