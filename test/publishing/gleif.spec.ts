import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gleif } from '../../src/publish/publishers/gleif/gleif.importer.js';
import { dayOfInstant } from '../../src/publish/publishers/gleif/statements.js';
import { isLei } from '../../src/publish/publishers/gleif/register-buffer.js';
import { fetchGroups } from '../../src/publish/publishers/gleif/fetch-plan.js';
import type { Batch, Delivery } from '../../src/publish/batches/importer.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import { describeWithSharedData, sharedData } from '../support/shared-data.js';
import { NOW, usePublishing } from './publishing.js';

const FIXTURES = join(__dirname, '../fixtures/register');
const GROUPS = join(FIXTURES, 'groups');
const API = join(FIXTURES, 'api');
const HOLDING = '9ZTEST00NORDWIND0153';

async function batchesOf(delivery: Delivery | undefined): Promise<Batch[]> {
  const batches: Batch[] = [];
  for await (const batch of delivery?.read(() => undefined) ?? []) batches.push(batch);
  return batches;
}
const badIn = (batches: readonly Batch[]): string[] =>
  batches.flatMap((batch) =>
    batch.kind === 'bad'
      ? batch.rows.map(({ place, reason }) => `${String(place.line)}:${place.column}: ${reason}`)
      : [],
  );

describe('An LEI', () => {
  it.each(['529900K9B0N5BT694847', 'INR2EJN1ERAN0W5ZP974', '21380068P1DRHMJ8KU70'])('is %s', (lei) => {
    expect(isLei(lei)).toBe(true);
  });

  it.each([
    '529900K9B0N5BT694846',
    '529900K9B0N5BT649847',
    '529900k9b0n5bt694847',
    '529900K9B0N5BT69484',
    '529900K9B0N5BT6948470',
    '',
  ])('is not %s', (text) => {
    expect(isLei(text)).toBe(false);
  });
});

describe('The reader of GLEIF files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gleif-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const written = async (text: string | Buffer, name = 'file.json'): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };
  const fixture = (name: string): Promise<string> => readFile(join(FIXTURES, name), 'utf8');
  const csv = (name: string): Promise<string> => fixture(`groups/${name}`);

  it('finds the day of the golden copy anywhere in a response', async () => {
    const deliveries = await gleif.open([API], null);
    expect(deliveries.map(({ vintage, basis }) => [vintage, basis])).toEqual([['2026-03-02', 'released']]);
    await expect(gleif.open([API], '2026-03-01')).rejects.toThrow('--vintage says 2026-03-01');
  });

  it('reads entities, relations and their number from pages and single records', async () => {
    const batches = await batchesOf((await gleif.open([API], null))[0]);
    const relations = batches.flatMap((batch) => (batch.kind === 'relations' ? batch.rows : []));
    const extents = batches.flatMap((batch) => (batch.kind === 'relation-extents' ? batch.rows : []));
    expect(badIn(batches)).toEqual([]);
    expect(relations.filter(({ parent, from }) => parent === HOLDING && from === 'record')).toMatchObject([
      { kind: 'direct', state: 'active', since: '2015-01-01', until: null },
      { kind: 'direct', state: 'active', since: '2018-07-01', until: null },
      { kind: 'ultimate' },
    ]);
    expect(extents.filter(({ lei }) => lei === HOLDING)).toMatchObject([
      { side: 'children', stated: 3, from: 'record' },
      { side: 'children', stated: 3, from: 'list' },
    ]);
    expect(extents.filter(({ side }) => side === 'parents')).toHaveLength(2);
  });

  it('reads the CSV pair by the names of its columns', async () => {
    const paths = [join(GROUPS, 'entities.csv'), join(GROUPS, 'relationships.csv')];
    await expect(gleif.open(paths, null)).rejects.toThrow('give --vintage');
    const plain = await batchesOf((await gleif.open(paths, '2026-01-05'))[0]);
    expect(badIn(plain)).toEqual([]);
    const moved = (await csv('relationships.csv'))
      .trim()
      .split('\n')
      .map((line) => line.split(',').reverse().join(','));
    const path = await written(`${moved.join('\n')}\n`, 'moved.csv');
    const batches = await batchesOf((await gleif.open([path], '2026-01-05'))[0]);
    const kinds = (all: readonly Batch[]) =>
      all.flatMap((batch) => (batch.kind === 'relations' ? batch.rows.map(({ place: _place, ...row }) => row) : []));
    expect(kinds(batches)).toEqual(kinds(plain));
    expect(kinds(plain)).toHaveLength(12);
  });

  it('reads the columns of the golden copy', async () => {
    const path = await written(
      'Relationship.StartNode.NodeID,Relationship.EndNode.NodeID,Relationship.RelationshipType,Relationship.RelationshipStatus,' +
        'Relationship.Period.1.startDate,Relationship.Period.1.endDate,Relationship.Period.1.periodType,' +
        'Relationship.Period.2.startDate,Relationship.Period.2.endDate,Relationship.Period.2.periodType,Registration.RegistrationStatus\n' +
        `9ZTEST00NORDWIND0250,${HOLDING},IS_DIRECTLY_CONSOLIDATED_BY,ACTIVE,2024-01-01T00:00:00Z,2024-12-31T00:00:00Z,ACCOUNTING_PERIOD,2015-01-01T00:00:00Z,,RELATIONSHIP_PERIOD,PUBLISHED\n`,
      'golden.csv',
    );
    const [batch] = await batchesOf((await gleif.open([path], '2026-01-05'))[0]);
    expect(batch).toMatchObject({ kind: 'relations', rows: [{ since: '2015-01-01', until: null, kind: 'direct' }] });
  });

  it.each([
    ['2018-04-10T00:00:00Z', '2018-04-10'],
    ['2018-04-10', '2018-04-10'],
    ['1995-10-31T16:00:00Z', '1995-11-01'],
    ['2015-12-31T23:00:00.000Z', '2016-01-01'],
    ['2016-03-31T18:30:00Z', '2016-04-01'],
    ['2012-01-01T05:00:00Z', '2012-01-01'],
    ['2019-05-06T19:04:36Z', '2019-05-06'],
  ])('reads the day that a register means by %s', (instant, day) => {
    expect(dayOfInstant(instant, 'periods')).toBe(day);
  });

  it.each([
    ['a page of HTML', '<html><title>Busy</title></html>', 'a page of HTML or XML that says "Busy"'],
    ['an empty file', ' ', 'is empty'],
    [
      'an error in place of an answer',
      '{"errors":[{"title":"Resource not found","status":"404"}]}',
      'GLEIF responded with an error: Resource not found',
    ],
    ['other JSON', '{"data":[]}', "not a response of GLEIF's API"],
    ['other CSV', 'a,b,c\n1,2,3\n', 'is not a CSV of GLEIF'],
    ['CSV without a column', 'lei,legal_name,country\nx,y,DE\n', 'it has no column "status"'],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), 'is not text in UTF-8'],
  ])('refuses %s', async (_, text, message) => {
    await expect(gleif.open([await written(text)], '2026-01-05')).rejects.toThrow(message);
  });

  it('refuses an incomplete response, and one that is not UTF-8', async () => {
    const whole = await fixture('api/lei-record.holding.json');
    await expect(gleif.open([await written(whole.slice(0, 200))], null)).rejects.toThrow('is incomplete');
    const latin = Buffer.from(whole.replace('Nordwind', 'Nordw\u00fcnd'), 'latin1');
    await expect(gleif.open([await written(latin)], null)).rejects.toThrow('is not JSON in UTF-8');
  });

  it.each([
    ['an LEI whose check digits are wrong', `${HOLDING.slice(0, 18)}54`, '2:lei: "9ZTEST00NORDWIND0154" is not an LEI'],
    [
      'a name that is not UTF-8',
      Buffer.from([0x4e, 0xfc, 0x72]),
      '2:name: "N\ufffdr" holds characters that are broken',
    ],
  ])('refuses %s, with its position', async (_, broken, message) => {
    const [lei, name] = typeof broken === 'string' ? [broken, 'Nordwind'] : [HOLDING, broken];
    const bytes = Buffer.concat([
      Buffer.from(`lei,legal_name,country,status\n${lei},`),
      Buffer.from(name),
      Buffer.from(',DE,ACTIVE\n'),
    ]);
    const path = await written(bytes, 'broken.csv');
    const [bad] = badIn(await batchesOf((await gleif.open([path], '2026-01-05'))[0]));
    expect(bad).toContain(message);
  });

  it('refuses an incomplete row, an unknown status, kind or day, and an entity as its own parent', async () => {
    const header = 'start_lei,relationship,end_lei,status,relationship_start';
    const [direct, other] = ['IS_DIRECTLY_CONSOLIDATED_BY', '9ZTEST00NORDWIND0250'];
    const rows = [
      `${other},${direct},${HOLDING},SOLD,`,
      `${other},OWNS,${HOLDING},ACTIVE,`,
      `${other},${direct},${HOLDING},ACTIVE,yesterday`,
      `${other},${direct},${other},ACTIVE,`,
      `${other},${direct},${HOLDING.slice(0, 5)}`,
    ];
    const path = await written([header, ...rows].join('\n'), 'broken.csv');
    expect(badIn(await batchesOf((await gleif.open([path], '2026-01-05'))[0]))).toEqual([
      '2:status: "SOLD" is not a status of a relationship',
      '3:relationship: "OWNS" is not a kind of relationship of GLEIF',
      '4:relationship_start: "yesterday" is not an instant such as 2018-04-10T00:00:00Z',
      `5:parent: ${other} is stated to be its own parent`,
      '6:: the row has 3 cells, the header 5: is the file cut?',
    ]);
  });
});

describe('The GLEIF importer', () => {
  const { sql, publisher } = usePublishing();
  const publish = async (paths: string[], vintage: string | null = null, backfill = false) =>
    importFiles(publisher(), gleif, await gleif.open(paths, vintage), { accept: 'a test', now: () => NOW, backfill });
  const known = async (lei: string) => {
    const [row] = await sql<object>(
      `SELECT (SELECT count(*) FROM relations r WHERE r.parent = e.id AND r.kind = 'direct' AND valid_to IS NULL) AS given,
              (SELECT stated FROM relation_vintages v WHERE v.anchor = e.id AND side = 'children' AND kind = 'direct') AS stated
       FROM entities e WHERE lei = $1`,
      [lei],
    );
    return row;
  };

  it('stores the number of children on a first page and their total, by records rather than by the list', async () => {
    await publish([API]);
    expect(await known(HOLDING)).toEqual({ given: 2, stated: 3 });
    expect((await publish([API]))[0]?.outcome).toBe('unchanged');
  });

  it('stores the CSV pair with its unknown ends, shared children and cycles', async () => {
    const [report] = await publish([GROUPS], '2026-01-05');
    expect(report?.counts).toMatchObject({ entities: 12, relations: 12 });
    const unknown = await sql<object>(`SELECT lei FROM entities WHERE name IS NULL ORDER BY lei`);
    expect(unknown).toEqual([{ lei: '9ZTEST00NOTHERE00163' }, { lei: '9ZTEST00NOTHERE00260' }]);
  });

  describeWithSharedData('on GLEIF’s own responses', () => {
    const raw = (...parts: string[]) => sharedData('gleif-groups', 'raw', ...parts);

    it('stores 15 of 106 children of Shell, 15 of 35 of Commerzbank and all 12 of Microsoft', async () => {
      const [report] = await publish([raw('gleif-rs')]);
      expect(report).toMatchObject({ vintage: '2025-05-15', outcome: 'published' });
      expect(report?.leftOut).toEqual([]);
      expect(await known('21380068P1DRHMJ8KU70')).toEqual({ given: 15, stated: 106 });
      expect(await known('851WYGNLUQLFZBSYGB56')).toEqual({ given: 15, stated: 35 });
      expect(await known('INR2EJN1ERAN0W5ZP974')).toEqual({ given: 12, stated: 12 });
      expect((await publish([raw('gleif-rs')]))[0]?.outcome).toBe('unchanged');
    });

    it('stores 237 children of Allianz from the CSV pair, and 44 relations with an undescribed end', async () => {
      const files = ['entities.csv', 'relationships.csv'].map((name) => sharedData('gleif-groups', name));
      const [report] = await publish(files, '2026-01-01');
      expect(report?.counts).toMatchObject({ entities: 342, relations: 359, leftOut: 0 });
      expect(await known('529900K9B0N5BT694847')).toEqual({ given: 237, stated: null });
      const [ends] = await sql<object>(`
        SELECT count(*) AS count FROM relations r WHERE EXISTS (
          SELECT FROM entities e WHERE e.id IN (r.child, r.parent) AND e.name IS NULL)`);
      expect(ends).toEqual({ count: 44 });
      expect(await sql('SELECT id FROM changes')).toEqual([]);
    });
  });
});

describe('A live import from GLEIF', () => {
  let server: Server;
  let folder: string;
  let asked: string[];
  let cutNext: boolean;
  beforeEach(async () => {
    [asked, cutNext] = [[], false];
    folder = await mkdtemp(join(tmpdir(), 'gleif-live-'));
    server = createServer((request, response) => {
      asked.push(decodeURIComponent(request.url ?? ''));
      const paged = new URL(request.url ?? '', 'http://localhost').searchParams.has('page[number]');
      const body = JSON.stringify({
        meta: {
          goldenCopy: { publishDate: '2026-03-02T00:00:00Z' },
          ...(paged && { pagination: { total: 3, lastPage: 2 } }),
        },
        data: [],
      });
      response.end(cutNext ? body.slice(0, 40) : body);
      cutNext = false;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  const fetchAll = (pauses: number[] = []): Promise<string[]> =>
    fetchGroups(
      {
        folder,
        indicators: [],
        regions: [],
        since: null,
        onProgress: () => undefined,
        signal: new AbortController().signal,
      },
      {
        base: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/api/v1`,
        groups: [HOLDING],
        limits: { tries: 3, timeoutMs: 10_000, maxBytes: 100_000 },
        waiting: { sleep: (milliseconds) => Promise.resolve(pauses.push(milliseconds)), random: () => 0.5 },
      },
    );

  it('fetches every page of a group, within GLEIF’s rate limit', async () => {
    const pauses: number[] = [];
    const paths = await fetchAll(pauses);
    expect(asked.slice(0, 3)).toEqual([
      `/api/v1/lei-records/${HOLDING}`,
      `/api/v1/lei-records/${HOLDING}/direct-children?page[number]=1&page[size]=200`,
      `/api/v1/lei-records/${HOLDING}/direct-children?page[number]=2&page[size]=200`,
    ]);
    expect(pauses).toEqual(Array(asked.length - 1).fill(1_100));
    expect(paths).toHaveLength(asked.length);
  });

  it('fetches only the pages that an earlier run lacks, and retries an incomplete response', async () => {
    await fetchAll();
    const whole = asked.length;
    expect(await fetchAll()).toHaveLength(whole);
    expect(asked).toHaveLength(whole);
    await rm(folder, { recursive: true });
    cutNext = true;
    await fetchAll();
    expect(asked).toHaveLength(2 * whole + 1);
  });
});
