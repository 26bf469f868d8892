import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFiles } from '../../src/publish/import/import-files.js';
import { bls } from '../../src/publish/publishers/bls.js';
import { fetchBls } from '../../src/publish/publishers/bls.js';
import { useScratchFiles } from '../support/scratch-files.js';
import { describeWithSharedData, sharedData } from '../support/shared-data.js';
import { NOW, usePublishing } from './publishing.js';
import { brief, read, spot } from './reading.js';

const fixture = (name: string): string => join(__dirname, '../fixtures/calendar', name);
const text = (name: string): string => readFileSync(fixture(name), 'utf8');
const files = useScratchFiles();
const open = async (path: string) => read((await bls.open([path], '2026-07-01'))[0]);

describe('The importer of the BLS', () => {
  it('reads the index from the CSV, and no computed column', async () => {
    const { figures, extents, bad } = await open(fixture('cpiai.csv'));
    expect(figures.map(brief)).toEqual([
      'CUUR0000SA0 USA 2025-06 322.561',
      'CUUR0000SA0 USA 2025-07 323.048',
      'CUUR0000SA0 USA 2025-08 323.976',
      'CUUR0000SA0 USA 2025-09 324.8',
      'CUUR0000SA0 USA 2025-11 324.122',
      'CUUR0000SA0 USA 2025-12 324.054',
    ]);
    expect(extents).toEqual([{ indicator: 'CUUR0000SA0', region: 'USA', first: '2025-06', last: '2025-12' }]);
    expect(bad).toEqual([]);
  });

  it('reads a column of the index that is named CPI', async () => {
    const path = await files.write('named.csv', text('cpiai.csv').replace('Index', 'CPI'));
    expect((await open(path)).figures).toHaveLength((await open(fixture('cpiai.csv'))).figures.length);
  });

  it('reads months from the API’s response, but neither the year’s average nor the month without prices', async () => {
    const { figures, extents } = await open(fixture('bls-answer.json'));
    expect(figures.map(brief)).toEqual([
      'CUUR0000SA0 USA 2025-11 324.122',
      'CUUR0000SA0 USA 2025-09 324.800',
      'CUUR0000SA0 USA 2024-12 315.605',
    ]);
    expect(extents).toEqual([{ indicator: 'CUUR0000SA0', region: 'USA', first: '2024-12', last: '2025-11' }]);
  });

  it('asks for the day, which neither file states', async () => {
    await expect(bls.open([fixture('cpiai.csv')], null)).rejects.toThrow('give --vintage YYYY-MM-DD');
  });

  it.each([
    ['an index that cannot be', '323.048', '-323.048', '3:Index: "-323.048" is not above zero'],
    ['a figure that is none', '323.048', '323,048', '3:: expected 3 columns and found 4'],
    ['a day inside of a month', '2025-07-01', '2025-07-15', '3:Date: "2025-07-15" is not the first day of a month'],
    ['a month that is none', '2025-07-01', '2025-13-01', '3:Date: "2025-13-01" is not the first day of a month'],
  ])('refuses %s', async (_, good, bad, reason) => {
    const path = await files.write('bad.csv', text('cpiai.csv').replace(good, bad));
    expect((await open(path)).bad.map(spot)).toEqual([reason]);
  });

  it('refuses a line that the end of the file cuts', async () => {
    const path = await files.write('cut.csv', text('cpiai.csv').trim().slice(0, -6));
    expect((await open(path)).bad.map(spot)).toEqual(['7:Index: the file ends inside this line, so it may be cut']);
  });

  it.each([
    ['a moved column', 'Index,Date,Inflation\n322.561,2025-06-01,0.34\n', 'is not a file of the BLS'],
    ['another third column', 'Date,Index,Other\n2025-06-01,322.561,1\n', 'expected the columns Date, Index, Inflation'],
    ['a header alone', 'Date,Index,Inflation\n', 'has a header and no rows'],
    ['a page of HTML', '<html><body>Access Denied</body></html>', 'a page of HTML or XML that says "Access Denied"'],
    ['an answer that is cut', '{"status":"REQUEST_SUCCEEDED","Results":{', 'is not whole JSON'],
    ['other JSON', '{"a":1}', 'not a response of the BLS'],
    [
      'a refusal, in the API’s own words',
      '{"status":"REQUEST_NOT_PROCESSED","message":["daily threshold reached"],"Results":{"series":[]}}',
      'the BLS responded with an error: daily threshold reached',
    ],
    ['bytes of another encoding', Buffer.from([0x44, 0xff, 0xfe, 0x61]), 'is not text in UTF-8'],
  ])('refuses %s', async (_, content, message) => {
    const path = await files.write('odd', content);
    await expect(open(path)).rejects.toThrow(message);
  });
});

describe('The index of the BLS', () => {
  const { sql, current, publisher } = usePublishing();

  it('refuses a month that appears twice with different figures', async () => {
    const path = await files.write('twice.csv', `${text('cpiai.csv')}2025-12-01,324.100,0.0\n`);
    const deliveries = await bls.open([path], '2026-07-01');
    await expect(importFiles(publisher(), bls, deliveries, { accept: 'a test', now: () => NOW })).rejects.toThrow(
      '1 bad row',
    );
  });

  it('has no figure for October 2025, and none as the previous one of November', async () => {
    const early = await files.write('early.csv', text('cpiai.csv').replace(/2025-1[12].*\n/g, ''));
    await importFiles(publisher(), bls, await bls.open([early], '2025-11-01'), { accept: 'a test', now: () => NOW });
    const until = await files.write('until.csv', text('cpiai.csv').replace(/2025-12.*\n/g, ''));
    await importFiles(publisher(), bls, await bls.open([until], '2025-12-20'), { accept: 'a test', now: () => NOW });
    expect((await current()).map(({ period }) => period)).not.toContain('2025-10');
    const made = await sql(
      'SELECT kind, period, actual_value AS actual, previous_value AS previous, previous_missing AS missing FROM changes',
    );
    expect(made).toEqual([
      { kind: 'release', period: '2025-11', actual: '324.122', previous: null, missing: 'not_published' },
    ]);
  });
});

describe('A live import from the BLS', () => {
  let server: Server;
  let folder: string;
  let asked: string[];
  let body: string;

  beforeEach(async () => {
    asked = [];
    body = text('bls-answer.json');
    folder = await mkdtemp(join(tmpdir(), 'bls-live-'));
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  const fetchAll = (since: string | null, indicators = ['CUUR0000SA0']) =>
    fetchBls(
      { folder, indicators, regions: [], since, onProgress: () => undefined, signal: new AbortController().signal },
      {
        base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/data`,
        limits: { tries: 2, timeoutMs: 10_000, maxBytes: 100_000 },
        waiting: { sleep: () => Promise.resolve(), random: () => 0 },
        thisYear: () => 2026,
      },
    );

  it('requests at most ten years per call, from the first year of the index on', async () => {
    await fetchAll(null);
    expect(asked[0]).toBe('/data/CUUR0000SA0?startyear=1913&endyear=1922');
    expect(asked.at(-1)).toBe('/data/CUUR0000SA0?startyear=2023&endyear=2026');
    expect(asked).toHaveLength(12);
  });

  it('writes files that can be imported', async () => {
    const paths = await fetchAll('2020-05-01');
    expect(asked).toEqual(['/data/CUUR0000SA0?startyear=2020&endyear=2026']);
    const [delivery] = await bls.open(paths, '2026-07-01');
    expect((await read(delivery)).figures).toHaveLength(3);
  });

  it('keeps no refusal as a file, and requests only series', async () => {
    body = '{"status":"REQUEST_NOT_PROCESSED","message":["daily threshold reached"]}';
    await expect(fetchAll('2025-01-01')).rejects.toThrow('daily threshold reached');
    await expect(fetchAll(null, ['../secrets'])).rejects.toThrow('is not a series of the BLS');
    expect(asked).toHaveLength(1);
  });
});

describeWithSharedData('The importer of the BLS on the whole index', () => {
  it('reads every month since 1913 except October 2025', async () => {
    const { figures, bad } = await open(sharedData('bls-cpi-us', 'cpiai.csv'));
    expect(bad).toEqual([]);
    expect(figures).toHaveLength((2026 - 1913) * 12 + 5 - 1);
    expect(figures.map(({ period }) => period)).not.toContain('2025-10');
  });
});
