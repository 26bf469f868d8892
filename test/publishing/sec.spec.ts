import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFiles } from '../../src/publish/import/import-files.js';
import { gleif } from '../../src/publish/publishers/gleif/gleif.importer.js';
import { fetchTickers, sec } from '../../src/publish/publishers/sec.js';
import { retractVersion } from '../../src/publish/versions/retract-version.js';
import { itInFull } from '../support/exhaustive.js';
import { describeWithSharedData, sharedData } from '../support/shared-data.js';
import { NOW, usePublishing } from './publishing.js';

const FIXTURES = join(__dirname, '../fixtures/register');
const TICKERS = join(FIXTURES, 'company_tickers.json');

describe('The SEC importer', () => {
  const { sql, publisher, revisions } = usePublishing();
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sec-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const written = async (text: string | Buffer): Promise<string> => {
    await writeFile(join(folder, 'tickers.json'), text);
    return join(folder, 'tickers.json');
  };
  const publish = async (path: string, vintage: string) =>
    importFiles(publisher(), sec, await sec.open([path], vintage), { accept: 'a test', now: () => NOW });

  it('gives CIK and tickers to the one legal entity that certainly matches, and to no look-alike', async () => {
    const groups = await gleif.open([join(FIXTURES, 'groups')], '2026-01-05');
    await importFiles(publisher(), gleif, groups, { accept: 'a test', now: () => NOW });
    await publish(TICKERS, '2026-01-06');
    const both = await sql<object>(
      `SELECT e.name, e.cik, ARRAY(SELECT ticker FROM company_tickers k WHERE k.cik = e.cik ORDER BY ordinal) AS tickers
       FROM entities e WHERE e.lei IS NOT NULL AND e.cik IS NOT NULL`,
    );
    expect(both).toEqual([{ name: 'Quay Software, Inc.', cik: 9_000_001, tickers: ['QUAY', 'QUAY-B'] }]);
    const alone = await sql<object>('SELECT name FROM entities WHERE lei IS NULL ORDER BY cik');
    expect(alone).toHaveLength(3);
  });

  it('needs the day of its list, and changes nothing for the same list', async () => {
    await expect(sec.open([TICKERS], null)).rejects.toThrow('give --vintage');
    await publish(TICKERS, '2026-01-06');
    expect((await publish(TICKERS, '2026-01-06'))[0]?.outcome).toBe('unchanged');
    expect(await revisions()).toBe(1);
  });

  it('does not take a list back, but heals it by the right one of its day', async () => {
    const stored = () =>
      sql<object>(`SELECT r.cik, r.name, r.listed, ARRAY(
          SELECT ticker FROM company_tickers k WHERE k.cik = r.cik ORDER BY ordinal) AS tickers
        FROM registrants r ORDER BY cik`);
    const text = await readFile(TICKERS, 'utf8');
    await publish(TICKERS, '2026-01-06');
    const right = await stored();
    await publish(await written(text.replaceAll('QUAY', 'QUAZ')), '2026-01-07');
    expect(await stored()).not.toEqual(right);
    await expect(retractVersion(publisher(), 2, 'a wrong list', () => NOW)).rejects.toThrow(
      'Data version 2 is a list of registrants, which overwrote the names, tickers and links of the list before',
    );
    const again = await sec.open([TICKERS], '2026-01-07');
    const settings = { replace: true, accept: 'a test', now: () => NOW };
    expect(await importFiles(publisher(), sec, again, settings)).toMatchObject([{ outcome: 'published' }]);
    expect(await stored()).toEqual(right);
  });

  it.each([
    ['a page of HTML', '<html>Undeclared Automated Tool</html>', 'HTML or XML that says "Undeclared Automated Tool"'],
    ['a list of another form', '[]', 'one JSON object was expected'],
    ['CSV', 'cik,ticker\n1,A\n', 'one JSON object was expected'],
  ])('refuses %s', async (_, text, message) => {
    await expect(sec.open([await written(text)], '2026-01-06')).rejects.toThrow(message);
  });

  it.each<[string, (text: string) => string | Buffer, string]>([
    ['that is cut', (text) => text.slice(0, 150), 'is incomplete'],
    ['in another encoding', (text) => Buffer.from(text.replace('QUAY', 'QU\u00c4Y'), 'latin1'), 'is not JSON in UTF-8'],
    ['with a member of another name', (text) => text.replace('"ticker"', '"symbol"'), '1 bad row'],
    ['with a ticker in place of a number', (text) => text.replace('9000002', '"ACME"'), '1 bad row'],
    ['with one ticker of two registrants', (text) => text.replace('"ACME"', '"QUAY"'), '1 bad row'],
  ])('publishes nothing of a list %s', async (_, broken, message) => {
    const path = await written(broken(await readFile(TICKERS, 'utf8')));
    await expect(publish(path, '2026-01-06')).rejects.toThrow(message);
    expect(await revisions()).toBe(0);
  });

  describeWithSharedData('on the SEC’s own list', () => {
    itInFull('reads 7,919 registrants with 9,610 tickers, several for one registrant if listed', async () => {
      const list = sharedData('companies', 'sec-company_tickers.json');
      const [report] = await publish(list, '2026-07-01');
      expect(report?.counts).toMatchObject({ registrants: 7_919, leftOut: 0 });
      const [held] = await sql<object>('SELECT count(*) AS tickers FROM company_tickers');
      expect(held).toEqual({ tickers: 9_610 });
      const several = await sql<{ ticker: string }>(
        'SELECT ticker FROM company_tickers WHERE cik = 1652044 ORDER BY ordinal',
      );
      expect(several.map(({ ticker }) => ticker)).toEqual(expect.arrayContaining(['GOOGL', 'GOOG']));
    });

    itInFull('gives Microsoft and Apple their LEI, CIK and tickers in one company each', async () => {
      const files = ['entities.csv', 'relationships.csv'].map((name) => sharedData('gleif-groups', name));
      await importFiles(publisher(), gleif, await gleif.open(files, '2026-01-01'), {
        accept: 'a test',
        now: () => NOW,
      });
      await publish(sharedData('companies', 'sec-company_tickers.json'), '2026-07-01');
      const both = await sql<object>(
        'SELECT slug, cik FROM companies c JOIN entities e ON e.id = c.entity_id WHERE lei IS NOT NULL AND cik IS NOT NULL ORDER BY slug',
      );
      expect(both).toEqual(
        expect.arrayContaining([
          { slug: 'apple-inc', cik: 320_193 },
          { slug: 'microsoft-corporation', cik: 789_019 },
        ]),
      );
    });
  });

  describe('as a live connector', () => {
    let server: Server;
    let agents: (string | undefined)[];
    beforeEach(async () => {
      agents = [];
      const body = await readFile(TICKERS, 'utf8');
      server = createServer((request, response) => {
        agents.push(request.headers['user-agent']);
        response.end(agents.length === 1 ? body.slice(0, 90) : body);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    });
    afterEach(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });

    const fetched = (contact: string | null) =>
      fetchTickers(
        {
          folder,
          indicators: [],
          regions: [],
          since: null,
          contact,
          onProgress: () => undefined,
          signal: new AbortController().signal,
        },
        {
          base: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/files`,
          waiting: { sleep: () => Promise.resolve(), random: () => 0 },
        },
      );

    it('fetches the list with the contact as user agent, and retries an incomplete response', async () => {
      const [path] = await fetched('Example office@example.org');
      expect(agents).toEqual(['Example office@example.org', 'Example office@example.org']);
      expect(await readFile(path ?? '', 'utf8')).toBe(await readFile(TICKERS, 'utf8'));
    });

    it('requests nothing without a contact', async () => {
      await expect(fetched(null)).rejects.toThrow('set SEC_USER_AGENT');
      expect(agents).toEqual([]);
    });
  });
});
