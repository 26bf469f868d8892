// Reads one response of GLEIF's API: a record, or a page of a list.
import { z } from 'zod';
import { isDay } from '../../../domain/figures/periods.js';
import { badRow, ImportError, isFault, type Batch } from '../../batches/importer.js';
import { jsonMembers } from '../../batches/json-parts.js';
import { quoted } from '../../batches/text.js';
import type { RelationKind } from '../../batches/register-rows.js';
import { ANY_RECORD, entityIn, relationIn } from './api-records.js';
import { RegisterBuffer } from './register-buffer.js';

/** Metadata of a response. */
export interface ApiFileDescription {
  /** Day of the golden copy. */
  readonly publishedOn: string;
  /** The parent whose children are listed. */
  readonly list: ChildList | null;
}

interface ChildList {
  readonly parent: string;
  readonly kind: RelationKind;
  readonly from: 'record' | 'list';
  readonly stated: number;
}

const META = z.object({
  goldenCopy: z.object({ publishDate: z.string() }),
  pagination: z.object({ total: z.number().int() }).optional(),
});
const LINKS = z.object({ first: z.string().optional() });
const REFUSAL = z.object({ title: z.string().optional(), detail: z.string().optional() });
const LIST = /\/lei-records\/([A-Z0-9]{20})\/(direct|ultimate)-(?:(children)|child-relationships)(?:\?|$)/;

/**
 * Reads the whole file, because the metadata may be at the end.
 * @throws ImportError for another document
 */
export async function describeApiFile(chunks: AsyncIterable<Uint8Array>, file: string): Promise<ApiFileDescription> {
  let meta: z.infer<typeof META> | null = null;
  let first: string | null = null;
  for await (const { key, value } of jsonMembers(chunks, file)) {
    if (key === 'errors') throw refusalOf(value, file);
    if (key === 'meta') meta = META.safeParse(value).data ?? null;
    if (key === 'links') first = LINKS.safeParse(value).data?.first ?? null;
  }
  if (meta === null) {
    throw new ImportError(`${file} is JSON, but not a response of GLEIF's API: it has no meta.goldenCopy`);
  }
  const publishedOn = meta.goldenCopy.publishDate.slice(0, 10);
  if (!isDay(publishedOn)) {
    throw new ImportError(`${file}: "publishDate" is ${quoted(publishedOn)}, expected a day`);
  }
  const [, parent, kind, children] = LIST.exec(first ?? '') ?? [];
  const stated = meta.pagination?.total;
  if (parent === undefined || stated === undefined) return { publishedOn, list: null };
  return {
    publishedOn,
    list: { parent, kind: kind as RelationKind, from: children === undefined ? 'record' : 'list', stated },
  };
}

export async function* readApiFile(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  { publishedOn, list }: ApiFileDescription,
): AsyncGenerator<Batch> {
  const buffer = new RegisterBuffer();
  if (list !== null) {
    const { parent, kind, from, stated } = list;
    buffer.add('relation-extents', { lei: parent, side: 'children', kind, stated, from });
  }
  let line = 0;
  for await (const { key, index, value } of jsonMembers(chunks, file)) {
    if (key !== 'data') continue;
    line += 1;
    const place = { file, line, column: '' };
    const record = ANY_RECORD.safeParse(value);
    if (!record.success) {
      buffer.add('bad', badRow(place, { column: 'type', reason: 'the record has no type and id' }));
    } else if (record.data.type === 'relationship-records') {
      const relation = relationIn(value, publishedOn, place);
      if (isFault(relation)) buffer.add('bad', badRow(place, relation));
      else if (relation !== null) {
        buffer.addRelation(relation);
        if (index === null) buffer.addParentsOf(relation);
      }
    } else if (record.data.type === 'lei-records') {
      const entity = entityIn(value, place);
      if (isFault(entity)) buffer.add('bad', badRow(place, entity));
      else {
        buffer.addEntity(entity);
        if (list?.from === 'list') {
          const { parent, kind, from } = list;
          const listed = { child: entity.lei, parent, kind, since: null, until: null };
          buffer.addRelation({ ...listed, state: 'active', from, place });
        }
      }
    }
    if (buffer.full) yield* buffer.take();
  }
  yield* buffer.take();
}

function refusalOf(value: unknown, file: string): ImportError {
  const { title, detail } = REFUSAL.safeParse(value).data ?? {};
  return new ImportError(`${file}: GLEIF responded with an error: ${[title, detail].filter(Boolean).join(': ')}`);
}
