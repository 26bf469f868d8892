import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { CallContext } from '../access/call-context.js';
import { readSnapshot, type Read } from '../database/snapshots.js';
import { readAttributions } from '../sources/attributions.js';
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
  readonly revision: number;
  readonly publishedAt: Date;
}

const REVISION = `
  SELECT r.id AS revision, r.published_at AS "publishedAt"
  FROM resource_families f JOIN revisions r ON r.id = f.revision_id WHERE f.family = $1`;

/** All content is read through here: one snapshot an answer, so none mixes two revisions. */
@Injectable()
export class Archive {
  constructor(@Inject(CONTENT_DATABASE) private readonly database: DataSource) {}

  answer<Data>(
    family: Family,
    { locale }: CallContext,
    work: (read: Read, cite: Citations) => Promise<Draft<Data>>,
  ): Promise<Result<Data>> {
    return readSnapshot(this.database, async (read) => {
      const cite = new Citations();
      const { data, page, window, notices = [] } = await work(read, cite);
      const [revision] = await read<RevisionRow>(REVISION, [family]);
      const sources = await readAttributions(read, cite.cited, locale);
      const demanded = sources.flatMap(({ notice }) => (notice === null ? [] : [notice]));
      return {
        data,
        revision: revision?.revision ?? 0,
        publishedAt: revision?.publishedAt.toISOString() ?? null,
        sources,
        notices: [...new Set([...demanded, ...notices])],
        ...(page && { page }),
        ...(window && { window }),
      };
    });
  }
}
