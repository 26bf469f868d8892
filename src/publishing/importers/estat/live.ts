// Fetches the catalogue's tables from e-Stat with the operator's application id, which no message shows.
import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ImportError, type FetchOptions } from '../importer.js';
import { download, keepFile, REAL_WAITING, type DownloadLimits, type Waiting } from '../reading/download.js';
import { HeadReader, type AnswerHead } from './answer-head.js';
import { answerParts } from './answer-parts.js';

export interface EstatSettings {
  readonly base: string;
  readonly perPage: number;
  readonly limits: DownloadLimits;
  readonly waiting: Waiting;
}

const DEFAULTS: EstatSettings = {
  base: 'https://api.e-stat.go.jp/rest/3.0/app/json/getStatsData',
  perPage: 100_000,
  limits: { tries: 5, timeoutMs: 120_000, maxBytes: 64_000_000 },
  waiting: REAL_WAITING,
};

export class EstatApi {
  private readonly settings: EstatSettings;

  constructor(settings: Partial<EstatSettings> = {}) {
    this.settings = { ...DEFAULTS, ...settings };
  }

  /** The page files of all tables; of each table only the classes that the catalogue names, at all times. */
  async fetch(options: FetchOptions): Promise<string[]> {
    const { accessCode = null, folder, indicators, onProgress } = options;
    if (accessCode === null) {
      throw new ImportError('e-Stat asks for an application id: set ESTAT_APP_ID to that of the operator');
    }
    await mkdir(folder, { recursive: true });
    const tables = tablesOf(indicators);
    const paths: string[] = [];
    for (const [number, [table, classes]] of [...tables].entries()) {
      for (let from = 1, total = 1; from <= total;) {
        const question = { statsDataId: table, ...classes, startPosition: String(from) };
        const path = join(folder, `${table}.from-${from}.json`);
        const { range } = await this.fetchPage(question, accessCode, path, options.signal);
        if (range.to < from) throw new ImportError(`${table}: e-Stat answered with an empty page`);
        paths.push(path);
        [from, total] = [range.to + 1, range.total];
      }
      onProgress(number + 1, tables.size, `table ${table}`);
    }
    return paths;
  }

  private async fetchPage(
    question: Readonly<Record<string, string>>,
    appId: string,
    path: string,
    signal: AbortSignal,
  ): Promise<AnswerHead> {
    const { base, perPage, limits, waiting } = this.settings;
    const fixed = {
      lang: 'J',
      metaGetFlg: 'Y',
      cntGetFlg: 'N',
      sectionHeaderFlg: '1',
      limit: String(perPage),
    };
    const shown = `${base}?${new URLSearchParams({ ...question, ...fixed }).toString()}`;
    const accept = async (body: Buffer): Promise<AnswerHead> => {
      const head = await headIn(body, shown);
      await keepFile(path, body);
      return head;
    };
    return download(`${shown}&appId=${encodeURIComponent(appId)}`, limits, waiting, signal, accept, shown);
  }
}

/** `0003425893/tab=40,cat01=01` as table and parameters; several classes of one axis are asked for together. */
function tablesOf(codes: readonly string[]): Map<string, Record<string, string>> {
  const tables = new Map<string, Record<string, string>>();
  for (const code of codes) {
    const [table = '', axes = ''] = code.split('/');
    const held = tables.get(table) ?? {};
    for (const [axis = '', value = ''] of axes.split(',').map((pair) => pair.split('='))) {
      const name = `cd${axis.charAt(0).toUpperCase()}${axis.slice(1)}`;
      held[name] = [...new Set([...(held[name]?.split(',') ?? []), value])].join(',');
    }
    tables.set(table, held);
  }
  return tables;
}

/** Reads the whole body, so that nothing is kept which an import would refuse as cut. */
async function headIn(body: Buffer, shown: string): Promise<AnswerHead> {
  const reader = new HeadReader(shown);
  for await (const part of answerParts(Readable.from([body]), shown)) {
    if (part.key !== 'VALUE') reader.take(part);
  }
  return reader.head;
}

/** The head of a file, without reading on beyond it. */
export async function headOf(file: string): Promise<AnswerHead> {
  const reader = new HeadReader(file);
  for await (const part of answerParts(createReadStream(file), file)) {
    if (part.key === 'VALUE') return reader.head;
    reader.take(part);
  }
  return reader.head;
}
