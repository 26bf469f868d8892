// runs: in full only
import { Agent } from 'node:http';
import { importFiles } from '../../src/publish/import/import-files.js';
import { gleif } from '../../src/publish/publishers/gleif/gleif.importer.js';
import { ImportError } from '../../src/publish/batches/importer.js';
import { IMPORTERS } from '../../src/publish/publishers/importers.js';
import { BadRowsError } from '../../src/publish/publication/bad-rows.js';
import { readDocument } from '../contract/document.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { everyNth, exhaustively } from '../support/exhaustive.js';
import { HOSTILE_GROUPS } from '../support/hostile-texts.js';
import { HttpChecker } from '../support/http-checker.js';
import { mcpFaults } from '../support/mcp-faults.js';
import { useScratchFiles } from '../support/scratch-files.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { send } from '../support/wire.js';
import { leiOf } from './registers.js';
import { NOW } from './publishing.js';

const { long, ...GROUPS } = HOSTILE_GROUPS;
/** The longest texts far exceed the limit of a register's names, so a few of them are enough. */
const NAMES: readonly string[] = [...Object.values(GROUPS).flatMap((texts) => everyNth(texts, 4)), ...long.slice(0, 6)];
/** Responses may contain any of these. */
const KNOWN = NAMES.join('\n');
/** A few of each kind for files; every importer reads each of them. */
const FILE_TEXTS = Object.values(GROUPS).flatMap((texts) => texts.filter((_, at) => at % exhaustively(5, 25) === 0));
const ENTITIES = NAMES.map((name, at) => ({ name, lei: leiOf(`x${at}z`) }));
const PARENT = { name: '$t(errors.not_found.title.length)', lei: leiOf('parent') };

const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const HEAD = 'lei,legal_name,country,status';
const entityRow = ({ lei, name }: { lei: string; name: string }): string => `${lei},${cell(name)},DE,ACTIVE`;
const RELATIONS_HEAD = 'start_lei,relationship,end_lei,status,relationship_start';
const relationRow = ({ lei }: { lei: string }): string =>
  `${lei},IS_DIRECTLY_CONSOLIDATED_BY,${PARENT.lei},ACTIVE,2020-01-01T00:00:00Z`;

/** Characters that no served name may contain: line ends, controls, directions, tags. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;
const MCP_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

describe('A registered name of the dictionary', () => {
  const files = useScratchFiles();
  const agent = new Agent({ keepAlive: true });
  let database: TestDatabase;
  let service: TestServer;
  let checker: HttpChecker;
  let slugs: string[];
  let refused: readonly { readonly reason: string; readonly place: { readonly column: string } }[];

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    const publisher = await database.open('import');
    const entities = await files.write(
      'entities.csv',
      `${[HEAD, ...[...ENTITIES, PARENT].map(entityRow)].join('\n')}\n`,
    );
    const publish = async (vintage: string, related: readonly { lei: string }[]) => {
      const relations = await files.write(
        'relationships.csv',
        `${[RELATIONS_HEAD, ...related.map(relationRow)].join('\n')}\n`,
      );
      const deliveries = await gleif.open([entities, relations], vintage);
      return importFiles(publisher, gleif, deliveries, { accept: 'a test', now: () => NOW, skipBadRows: true });
    };
    const [first] = await publish('2026-01-05', ENTITIES.slice(0, 20));
    // Relations that are new in the second delivery make changes, whose headlines contain the names.
    await publish('2026-02-05', ENTITIES);
    refused = first?.leftOut ?? [];
    service = await startTestServer({ database });
    checker = new HttpChecker(await readDocument(service));
    slugs = [];
    for (let next: string | null = '/api/v1/companies?country=DE&limit=100'; next !== null;) {
      const { data, meta } = (await ask(next)) as {
        data: { slug: string }[];
        meta: { page: { nextCursor: string | null } };
      };
      slugs.push(...data.map(({ slug }) => slug));
      const { nextCursor } = meta.page;
      next = nextCursor === null ? null : `/api/v1/companies?country=DE&limit=100&cursor=${nextCursor}`;
    }
  });
  afterAll(async () => {
    agent.destroy();
    await service.close();
    await database.drop();
  });

  let left = 0;
  let key = '';
  const nextKey = async (): Promise<string> => {
    if (left === 0) [key, left] = [await service.key(), 100];
    left -= 1;
    return key;
  };
  /** The body of a response without an error. */
  const ask = async (target: string): Promise<unknown> => {
    const asked = { place: 'name', method: 'GET', target, headers: {} };
    const answer = await send(asked, { url: service.url, agent, key: await nextKey() });
    expect({ target, status: answer.status, faults: checker.faults({ ...asked, more: KNOWN }, answer) }).toEqual({
      target,
      status: 200,
      faults: [],
    });
    return JSON.parse(answer.text);
  };

  it('is refused as a bad row with its column and a reason, or served', () => {
    expect(slugs.length + refused.length).toBeGreaterThanOrEqual(NAMES.length);
    expect(slugs.length).toBeGreaterThan(NAMES.length / 2);
    for (const { reason, place } of refused) {
      expect(place.column).toMatch(/name/);
      expect(reason.length).toBeLessThan(500);
    }
  });

  it('appears on one line in every HTTP response', async () => {
    const texts: string[] = [];
    for (const slug of slugs) texts.push(...textsIn(await ask(`/api/v1/companies/${encodeURIComponent(slug)}`)));
    texts.push(...textsIn(await ask('/api/v1/changes?kind=structure&limit=100')));
    texts.push(...textsIn(await ask('/api/v1/search?q=inflation&limit=100')));
    expect(texts.filter((text) => UNSEEN.test(text))).toEqual([]);
  });

  it('makes no line of its own in an MCP text, and breaks no tool', async () => {
    const calls: [string, object][] = [
      ...slugs.map((slug): [string, object] => ['company', { slug }]),
      ['latest_changes', { kind: 'structure', limit: 25 }],
      ['latest_changes', { query: 'consolidated', limit: 25 }],
    ];
    for (const [name, args] of calls) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
      const probe = { place: 'name', method: 'POST', target: '/api/v1/mcp', headers: MCP_HEADERS, body };
      const answer = await send(probe, { url: service.url, agent, key: await nextKey() });
      expect({ args, faults: mcpFaults({ method: 'POST', known: KNOWN }, answer) }).toEqual({ args, faults: [] });
      const { result } = JSON.parse(answer.text) as { result: { content: { text: string }[]; isError?: boolean } };
      const [{ text } = { text: '' }] = result.content;
      expect({ args, isError: result.isError }).toEqual({ args, isError: undefined });
      const lines = text.split('\n');
      expect({ args, unseen: lines.filter((line) => UNSEEN.test(line)) }).toEqual({ args, unseen: [] });
      // Only the service writes the block of sources; an empty list has none.
      const blocks = lines.filter((line) => line.startsWith('Sources')).length;
      expect({ args, more: blocks > 1, own: name !== 'company' || blocks === 1 }).toEqual({
        args,
        more: false,
        own: true,
      });
      expect({ args, forged: lines.filter((line) => /^(?:- )?\[ecb\]|^IMPORTANT|^Human:/.test(line)) }).toEqual({
        args,
        forged: [],
      });
    }
  });
});

describe('A hostile text in a file', () => {
  const files = useScratchFiles();

  /** The importer's own error text, or null if it read the file; any other error is a bug. */
  async function isJudged(publisher: string, path: string): Promise<string | null> {
    try {
      const deliveries = await IMPORTERS[publisher]?.open([path], '2026-01-05');
      for (const delivery of deliveries ?? []) {
        for await (const _batch of delivery.read(() => undefined));
      }
      return null;
    } catch (error) {
      if (error instanceof ImportError || error instanceof BadRowsError) return null;
      return `${publisher}: ${String(error).slice(0, 200)}`;
    }
  }

  it.each(Object.keys(IMPORTERS))(
    'is accepted or refused as a column name, a cell or the whole file by the importer of %s',
    async (publisher) => {
      const wrong: string[] = [];
      for (const text of FILE_TEXTS) {
        const contents = [
          `${cell(text)},${cell(text)}\n1,2\n`,
          `DATE,${text}\n${text},1\n`,
          text,
          `{${JSON.stringify(text)}:1}`,
        ];
        for (const [at, content] of contents.entries()) {
          const path = await files.write(`${publisher}-${at}.${at === 3 ? 'json' : 'csv'}`, content);
          const fault = await isJudged(publisher, path);
          if (fault !== null) wrong.push(fault);
        }
      }
      expect([...new Set(wrong)]).toEqual([]);
    },
  );

  it.each(Object.keys(IMPORTERS))('is accepted or refused as a file name by the importer of %s', async (publisher) => {
    const wrong: string[] = [];
    for (const text of FILE_TEXTS) {
      const name = text.replaceAll(/[/\0]/g, '_').slice(0, 60);
      const path = await files.write(`${name}.csv`, 'a,b\n1,2\n');
      const fault = await isJudged(publisher, path);
      if (fault !== null) wrong.push(fault);
    }
    expect([...new Set(wrong)]).toEqual([]);
  });
});

/** Every text in a JSON value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
