// Requests tables of e-Stat's API, with the operator's own application id.
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { ImportError, type FetchOptions } from '../../batches/importer.js';
import { fetchBy, type FetchPlan, type FetchSettings } from '../../downloads/fetch-plan.js';
import { HeadReader, type ResponseHead } from './response-head.js';
import { responseParts } from './response-parts.js';
import { ownMember } from '../../../domain/names/own-member.js';

export interface EstatSettings extends FetchSettings {
  readonly perPage: number;
}

const FIXED = { lang: 'J', metaGetFlg: 'Y', cntGetFlg: 'N', sectionHeaderFlg: '1' };

/** The pages of all tables; from each table only the classes that the catalogue names, for all times. */
function* plan({ accessCode, indicators }: FetchOptions, { base, perPage }: EstatSettings): FetchPlan<ResponseHead> {
  if (accessCode == null) {
    throw new ImportError('e-Stat requires an application id: set ESTAT_APP_ID to your own');
  }
  const tables = [...tablesOf(indicators)];
  for (const [index, [table, classes]] of tables.entries()) {
    for (let from = 1, total = 1; from <= total;) {
      const page = { statsDataId: table, ...classes, startPosition: String(from), limit: String(perPage) };
      const { range } = yield {
        url: `${base}?${new URLSearchParams({ ...page, ...FIXED }).toString()}`,
        secret: { name: 'appId', value: accessCode },
        file: `${table}.from-${from}.json`,
        accept: async (body, url) => ({ result: await headIn(body, url), content: body }),
        progress: () => ({ what: `table ${table}`, left: tables.length - index - 1 }),
      };
      if (range.to < from) throw new ImportError(`${table}: e-Stat responded with an empty page`);
      [from, total] = [range.to + 1, range.total];
    }
  }
}

/** `0003425893/tab=40,cat01=01` as table and parameters; one request covers several classes of an axis. */
function tablesOf(codes: readonly string[]): Map<string, Record<string, string>> {
  const tables = new Map<string, Record<string, string>>();
  for (const code of codes) {
    const [table = '', axes = ''] = code.split('/');
    const held = tables.get(table) ?? {};
    for (const [axis = '', value = ''] of axes.split(',').map((pair) => pair.split('='))) {
      const name = `cd${axis.charAt(0).toUpperCase()}${axis.slice(1)}`;
      held[name] = [...new Set([...(ownMember(held, name)?.split(',') ?? []), value])].join(',');
    }
    tables.set(table, held);
  }
  return tables;
}

async function headIn(body: Buffer, url: string): Promise<ResponseHead> {
  const reader = new HeadReader(url);
  for await (const part of responseParts(Readable.from([body]), url)) {
    if (part.key !== 'VALUE') reader.take(part);
  }
  return reader.head;
}

/** The head of a file, without reading the rest. */
export async function readHead(file: string): Promise<ResponseHead> {
  const reader = new HeadReader(file);
  for await (const part of responseParts(createReadStream(file), file)) {
    if (part.key === 'VALUE') return reader.head;
    reader.take(part);
  }
  return reader.head;
}

export const fetchTables = fetchBy(
  {
    base: 'https://api.e-stat.go.jp/rest/3.0/app/json/getStatsData',
    perPage: 100_000,
    limits: { tries: 5, timeoutMs: 120_000, maxBytes: 64_000_000 },
  },
  plan,
);
