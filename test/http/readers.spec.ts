// runs: in full only
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { startTestServer, type TestServer } from '../support/server.js';

/** Each program with what shows that it is here, and its line from docs/how-to/spreadsheets.md, which prints the rows and the first value. */
const PYTHON = process.env['TIDEMARK_PYTHON'] ?? '/usr/bin/python3';
const READERS = [
  {
    name: 'Python alone',
    has: [PYTHON, '-c', 'import csv'],
    line: (link: string) => [
      PYTHON,
      '-c',
      `import csv, io, urllib.request
rows = list(csv.DictReader(io.TextIOWrapper(urllib.request.urlopen("${link}.csv"), "utf-8")))
print(len(rows), float(rows[0]["value"]))`,
    ],
  },
  {
    name: 'pandas',
    has: [PYTHON, '-c', 'import pandas'],
    line: (link: string) => [
      PYTHON,
      '-c',
      `import pandas; rows = pandas.read_csv("${link}.csv"); print(len(rows), rows["value"][0])`,
    ],
  },
  {
    name: 'pandas with a workbook',
    has: [PYTHON, '-c', 'import pandas, openpyxl'],
    line: (link: string) => [
      PYTHON,
      '-c',
      `import pandas; rows = pandas.read_excel("${link}.xlsx"); print(len(rows), rows["value"][0])`,
    ],
  },
  {
    name: 'R',
    has: ['Rscript', '--version'],
    line: (link: string) => [
      'Rscript',
      '-e',
      `rows <- read.csv("${link}.csv"); cat(nrow(rows), format(rows$value[1], digits = 15))`,
    ],
  },
  {
    name: 'DuckDB',
    has: ['duckdb', '-c', 'INSTALL httpfs; LOAD httpfs'],
    line: (link: string) => [
      'duckdb',
      '-noheader',
      '-list',
      '-separator',
      ' ',
      '-c',
      `SELECT count(*), first(value) FROM read_csv('${link}.csv')`,
    ],
  },
  {
    name: 'curl',
    has: ['curl', '--version'],
    line: (link: string) => [
      'sh',
      '-c',
      `curl -sS "${link}.csv" | awk -F, 'NR == 2 { first = $5 } END { print NR - 1, first }'`,
    ],
  },
];

/** What the others send, by their documentation: no key, no cookie, a user agent of their own. */
const REQUESTS = {
  'Google Sheets': { 'user-agent': 'Mozilla/5.0 (compatible; GoogleDocs; apps-spreadsheets; +http://docs.google.com)' },
  'Excel (Power Query)': { 'user-agent': 'Microsoft.Data.Mashup', 'accept-encoding': 'gzip, deflate', accept: '*/*' },
  'LibreOffice Calc': { 'user-agent': 'LibreOffice 24.8', te: 'trailers' },
  'DuckDB, in parts': { range: 'bytes=0-1048575' },
};

describe('A file link', () => {
  let database: TestDatabase;
  let service: TestServer;
  let link: string;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
    const { access } = service;
    const email = 'reader@page.example';
    await access.createAccount({ email, plan: 'developer', signedUpAt: new Date('2020-01-01') });
    const { text } = await access.createKey(email, 'link', null, undefined, '/macro/cpi-inflation/JP?locale=en');
    link = `${service.url}/files/${text}`;
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  for (const { name, has, line } of READERS) {
    const [program = '', ...args] = has;
    const tested = spawnSync(program, args, { stdio: 'ignore' }).status === 0 ? it : it.skip;
    tested(`is read in one line by ${name}`, async () => {
      const [command = '', ...rest] = line(link);
      const run = spawn(command, rest);
      let text = '';
      run.stdout.on('data', (bytes: Buffer) => (text += bytes.toString()));
      run.stderr.on('data', (bytes: Buffer) => (text += bytes.toString()));
      const [status] = (await once(run, 'close')) as [number];
      const [rows, first] = text.trim().split(' ');
      expect({ status, text, rows }).toEqual({ status: 0, text, rows: '14' });
      expect(Number(first)).toBeCloseTo(-0.0440645104432602, 10);
    });
  }

  it.each(Object.entries(REQUESTS))('answers what %s sends, without a redirect', async (_, headers) => {
    const {
      status,
      headers: sent,
      bytes,
    } = await exchange(service.url, link.slice(service.url.length) + '.csv', { headers });
    expect([200, 206]).toContain(status);
    expect(sent).toMatchObject({ 'content-type': expect.stringContaining('text/csv') as string });
    expect(bytes.length).toBeGreaterThan(100);
  });
});
