import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { CallContext } from '../access/call-context.js';
import { readSnapshot, type Read } from '../database/snapshots.js';
import { attributionsOf, readSources, type Sources } from '../sources/attributions.js';
import { Citations } from '../sources/citations.js';
import type { Family, Page, Result } from './result.js';

export const CONTENT_DATABASE = Symbol('content database');

/** What a service reads and composes; the archive adds revision, sources and notices from the same moment. */
export interface Draft<Data> {
  readonly data: Data;
  readonly page?: Page;
  readonly window?: { readonly from: string; readonly to: string };
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

/** All content is read through here: one snapshot an answer, so none mixes two revisions. */
@Injectable()
export class Archive {
  private held: { readonly revision: number; readonly sources: Sources } | undefined;

  constructor(@Inject(CONTENT_DATABASE) private readonly database: DataSource) {}

  answer<Data>(
    family: Family,
    { locale }: CallContext,
    work: (read: Read, cite: Citations) => Promise<Draft<Data>>,
  ): Promise<Result<Data>> {
    return readSnapshot(this.database, async (read) => {
      const cite = new Citations();
      const { data, page, window, notices = [] } = await work(read, cite);
      const [row] = await read<RevisionRow>(REVISION, [family]);
      const sources = attributionsOf(await this.sourcesAt(row?.newest ?? 0, read), cite.cited, locale);
      const demanded = sources.flatMap(({ notice }) => (notice === null ? [] : [notice]));
      return {
        data,
        revision: row?.revision ?? 0,
        publishedAt: row?.publishedAt?.toISOString() ?? null,
        sources,
        notices: [...new Set([...demanded, ...notices])],
        ...(page && { page }),
        ...(window && { window }),
      };
    });
  }

  /** Sources change with a revision only, so they are read once in each. */
  private async sourcesAt(revision: number, read: Read): Promise<Sources> {
    if (this.held?.revision !== revision) this.held = { revision, sources: await readSources(read) };
    return this.held.sources;
  }
}
