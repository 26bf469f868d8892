import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFiles } from '../../src/publish/import/import-files.js';
import { estat } from '../../src/publish/publishers/estat/estat.importer.js';
import { fetchTables } from '../../src/publish/publishers/estat/fetch-plan.js';
import { periodOfTime } from '../../src/publish/publishers/estat/time-codes.js';
import { useScratchFiles } from '../support/scratch-files.js';
import { describeWithSharedData, sharedData } from '../support/shared-data.js';
import { NOW, usePublishing } from './publishing.js';
import { read, spot } from './reading.js';

const WAGES = join(__dirname, '../fixtures/calendar/estat-wages.json');
const text = readFileSync(WAGES, 'utf8');
const CLASSES = 'tab=40,cat01=01,cat02=01,cat03=02';
const code = (age: string): string => `0003425893/${CLASSES},cat04=${age},cat05=01,cat06=02`;
const files = useScratchFiles();
const { sql, publisher } = usePublishing();

const open = async (path: string) => read((await estat.open([path], null))[0]);
const publish = async (path: string) =>
  importFiles(publisher(), estat, await estat.open([path], null), { accept: 'a test', now: () => NOW });
const observed = () =>
  sql<Record<string, unknown>>(`SELECT s.indicator, s.region, o.period, o.value, s.source_id AS source, s.origins
       FROM observations o JOIN series s ON s.id = o.series_id ORDER BY s.indicator`);

describe('The importer of e-Stat', () => {
  it('maps each value to the indicator of its table and classes', async () => {
    const { figures, extents, bad } = await open(WAGES);
    expect(figures.map(({ indicator, region, period, value }) => [indicator, region, period, value])).toEqual([
      [code('03'), 'JPN', '2020', '237.1'],
      [code('05'), 'JPN', '2020', '322.3'],
      [code('07'), 'JPN', '2020', '392.5'],
    ]);
    expect(extents).toHaveLength(3);
    expect(bad).toEqual([]);
  });

  it('publishes them on the table’s day of update, with the ministry as their origin', async () => {
    const [report] = await publish(WAGES);
    expect(report).toMatchObject({ vintage: '2021-07-16', outcome: 'published', unnamed: [] });
    const wages = { region: 'JP', period: '2020', source: 'estat', origins: ['mhlw'] };
    expect(await observed()).toEqual([
      { indicator: 'contractual-earnings-men-20-24', value: '237.1', ...wages },
      { indicator: 'contractual-earnings-men-30-34', value: '322.3', ...wages },
      { indicator: 'contractual-earnings-men-40-44', value: '392.5', ...wages },
    ]);
  });

  it('names the ministry, the portal after it, and the day of update as one', async () => {
    await publish(WAGES);
    const newer = text.replaceAll('2020000000', '2021000000').replace('2021-07-16', '2022-07-15');
    await publish(await files.write('newer.json', newer));
    const [told] = await sql<{ basis: string; summary: Record<string, string> }>(
      'SELECT occurred_basis AS basis, summary FROM changes ORDER BY position LIMIT 1',
    );
    expect(told?.basis).toBe('updated');
    expect(told?.summary).toMatchObject({
      en: expect.stringMatching(
        / Source: Ministry of Health, Labour and Welfare, Japan, Basic Survey on Wage Structure; e-Stat, portal site of official statistics of Japan, as updated on 15 July 2022\.$/,
      ) as string,
      zh: expect.stringMatching(
        /数据来源：日本厚生劳动省《工资结构基本统计调查》；日本政府统计综合窗口（e-Stat），2022年7月15日更新。$/,
      ) as string,
      ja: expect.stringMatching(
        /出典：厚生労働省「賃金構造基本統計調査」、政府統計の総合窓口（e-Stat）、2022年7月15日更新。$/,
      ) as string,
    });
    const [brief] = await sql<{ summary: Record<string, string> }>('SELECT summary FROM briefs');
    expect(brief?.summary['ja']).toMatch(/出典：厚生労働省「.+」、政府統計の総合窓口（e-Stat）、2022年7月15日更新。$/);
  });

  it('takes the day of update for a release only if the table was opened on it', async () => {
    const basis = async (opened: string) => {
      const path = await files.write('opened.json', text.replace(/"OPEN_DATE": "[^"]*"/, `"OPEN_DATE": "${opened}"`));
      return (await estat.open([path], null)).map((delivery) => [delivery.vintage, delivery.basis]);
    };
    expect(await basis('2021-05-21')).toEqual([['2021-07-16', 'updated']]);
    expect(await basis('2021-07-16')).toEqual([['2021-07-16', 'released']]);
    await expect(basis('May')).rejects.toThrow('"OPEN_DATE" is "May", expected a day');
  });

  it.each(['-', '***', '...', '…', 'X', 'x', '＊'])('reads %s as a missing figure', async (mark) => {
    const noted = text.replace('"@char": "-"', `"@char": "${mark}"`).replace('"322.3"', `"${mark}"`);
    const { figures, bad, extents } = await open(await files.write('marked.json', noted));
    expect(figures.map(({ value }) => value)).toEqual(['237.1', '392.5']);
    expect(bad).toEqual([]);
    expect(extents).toHaveLength(3);
  });

  it.each([
    ['a figure that is none', '"322.3"', '"about 322"', 'is not a number'],
    ['a figure that cannot be', '"322.3"', '"-322.3"', 'is not above zero'],
    [
      'another unit',
      /"千円",\n(\s+)"\$": "322.3"/,
      '"円",\n$1"$": "322.3"',
      'the unit is "円", expected that of contractual-earnings-men-30-34',
    ],
  ])('refuses %s', async (_, good, bad, reason) => {
    const said = await open(await files.write('bad.json', text.replace(good, bad)));
    expect(said.bad.map(spot)).toEqual([expect.stringContaining(reason)]);
    expect(said.figures).toHaveLength(2);
  });

  it('refuses an invalid time, and lists a class that the catalogue does not name', async () => {
    const odd = text
      .replace(/"@time": "2020000000"/, '"@time": "2020991399"')
      .replace('"@cat04": "05"', '"@cat04": "99"');
    const path = await files.write('odd.json', odd);
    expect((await open(path)).bad.map(spot)).toEqual([expect.stringContaining('is not a time that is known')]);
    const unnamed = await files.write('unnamed.json', text.replace('"@cat04": "05"', '"@cat04": "99"'));
    const [report] = await publish(unnamed);
    expect(report?.unnamed.map(({ kind, code: named }) => [kind, named])).toEqual([['indicator', code('99')]]);
  });

  it('reads the nation as Japan, and none of its parts', async () => {
    const placed = text
      .replace('"@cat04": "03"', '"@area": "00000", "@cat04": "03"')
      .replace('"@cat04": "05"', '"@area": "13000", "@cat04": "05"');
    const [report] = await publish(await files.write('placed.json', placed));
    expect(await observed()).toHaveLength(2);
    expect(report?.unnamed.map(({ kind, code: named }) => [kind, named])).toEqual([['region', 'area 13000']]);
  });

  it.each([
    [
      'a refusal, in e-Stat’s own words',
      '{"GET_STATS_DATA":{"RESULT":{"STATUS":100,"ERROR_MSG":"認証に失敗しました。","DATE":"x"}}}',
      'e-Stat responded with an error: 認証に失敗しました。 (100)',
    ],
    ['a list of tables', '{"GET_STATS_LIST":{"RESULT":{"STATUS":0}}}', 'is not a response of e-Stat with values'],
    ['a page of HTML', '<html><body>503</body></html>', 'a page of HTML or XML that says "503"'],
    ['an answer that is cut', text.slice(0, 900), 'is incomplete'],
    ['an empty file', '', 'is empty'],
    ['another JSON', '[7]', 'is JSON, but not a response of e-Stat'],
    ['bytes of another encoding', Buffer.from([0x7b, 0x22, 0x93, 0xfa, 0x22, 0x7d]), 'is not JSON in UTF-8'],
    [
      'a page without its fellows',
      text.replace('"TOTAL_NUMBER": 3', '"TOTAL_NUMBER": 5'),
      'the values from 4 on of 5 are missing',
    ],
  ])('refuses %s', async (_, content, message) => {
    const path = await files.write('refused.json', content);
    await expect(open(path)).rejects.toThrow(message);
  });

  it.each([
    ['2020000000', '2020'],
    ['2020100000', 'FY2020'],
    ['2020000404', '2020-04'],
    ['2020000103', '2020-Q1'],
    ['2020001012', '2020-Q4'],
    ['2020000712', '2020-H2'],
    ['2020000204', null],
    ['2020001313', null],
    ['2024001000', null],
    ['20200000', null],
  ])('reads the time %s as %s', (time, period) => {
    expect(periodOfTime(time)).toBe(period);
  });
});

describe('A live import from e-Stat', () => {
  const APP_ID = 'onlyfortests0001';
  let server: Server;
  let folder: string;
  let asked: URL[];
  let status: number;
  let body: string;

  beforeEach(async () => {
    [asked, status, body] = [[], 200, text];
    folder = await mkdtemp(join(tmpdir(), 'estat-live-'));
    server = createServer((request, response) => {
      asked.push(new URL(request.url ?? '', 'http://localhost'));
      response.writeHead(status).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  const fetchAll = (accessCode: string | null) =>
    fetchTables(
      {
        folder,
        indicators: [code('03'), code('05'), code('07')],
        regions: [],
        since: null,
        accessCode,
        onProgress: () => undefined,
        signal: new AbortController().signal,
      },
      {
        base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/getStatsData`,
        limits: { tries: 2, timeoutMs: 10_000, maxBytes: 100_000 },
        waiting: { sleep: () => Promise.resolve(), random: () => 0 },
      },
    );

  it('requests each table once, and only classes that the catalogue names', async () => {
    const paths = await fetchAll(APP_ID);
    expect(asked).toHaveLength(1);
    expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toMatchObject({
      statsDataId: '0003425893',
      cdTab: '40',
      cdCat03: '02',
      cdCat04: '03,05,07',
      appId: APP_ID,
    });
    expect((await estat.open(paths, null)).map(({ vintage }) => vintage)).toEqual(['2021-07-16']);
  });

  it('requests nothing without an application id', async () => {
    await expect(fetchAll(null)).rejects.toThrow('set ESTAT_APP_ID');
    expect(asked).toEqual([]);
  });

  it.each([400, 500])('never shows the application id, if the response is %s', async (code) => {
    status = code;
    const failure = await fetchAll(APP_ID).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    const shown = `${String(failure)} ${(failure as Error).stack ?? ''} ${String((failure as Error).cause)}`;
    expect(shown).toContain('statsDataId=0003425893');
    expect(shown).not.toContain(APP_ID);
  });
});

describeWithSharedData('The importer of e-Stat on a genuine response', () => {
  it('publishes the wages that the catalogue names and lists the others', async () => {
    const [report] = await publish(sharedData('api-fixtures', 'e-stat', 'getStatsData-0003425893.json'));
    expect(report?.counts).toMatchObject({ rows: 5, seriesCreated: 5 });
    expect(report?.unnamed).toHaveLength(19);
    expect((await observed()).map(({ indicator, value }) => [indicator, value])).toEqual([
      ['contractual-earnings-men-20-24', '237.1'],
      ['contractual-earnings-men-30-34', '322.3'],
      ['contractual-earnings-men-40-44', '392.5'],
      ['contractual-earnings-men-50-54', expect.any(String)],
      ['contractual-earnings-men-60-64', expect.any(String)],
    ]);
  });
});
