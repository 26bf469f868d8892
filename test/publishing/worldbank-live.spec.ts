import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FetchOptions } from '../../src/publish/batches/importer.js';
import { fetchIndicators } from '../../src/publish/publishers/worldbank/fetch-plan.js';
import { worldbank } from '../../src/publish/publishers/worldbank/worldbank.importer.js';

const CODE = 'FP.CPI.TOTL.ZG';
const pageName = (page: number): string => `${CODE}.page-000${page}.json`;
const captured = (page: number): string =>
  readFileSync(join(__dirname, '../fixtures/worldbank/api', pageName(page)), 'utf8');
const REFUSAL =
  '[{"message":[{"id":"120","key":"Invalid value","value":"The provided parameter value is not valid"}]}]';

type Answer = (response: ServerResponse, page: number) => void;

const good: Answer = (response, page) => response.end(captured(page));
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end('Please come back');
const text =
  (body: string): Answer =>
  (response) =>
    response.end(body);
/** Sends a part of the body, then ends the connection as a failing proxy would. */
const cut: Answer = (response, page) => {
  response.writeHead(200, { 'content-length': captured(page).length });
  response.write(captured(page).slice(0, 400), () => response.destroy());
};
/** A cut that HTTP does not reveal: the body is complete, but its JSON does not end. */
const cutQuietly: Answer = (response, page) => response.end(captured(page).slice(0, 400));
const silent: Answer = () => undefined;
const updatedOn =
  (day: string): Answer =>
  (response, page) =>
    response.end(captured(page).replace('"lastupdated":"2026-07-01"', `"lastupdated":"${day}"`));

describe('A live import from the World Bank', () => {
  let server: Server;
  let folder: string;
  let base: string;
  let asked: string[];
  let pauses: number[];
  /** The next responses; after these, every response is good. */
  let script: Answer[];

  beforeEach(async () => {
    [asked, pauses, script] = [[], [], []];
    folder = await mkdtemp(join(tmpdir(), 'worldbank-live-'));
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      const page = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('page'));
      (script.shift() ?? good)(response, page);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  const fetchAll = (options: Partial<FetchOptions> = {}, timeoutMs = 10_000): Promise<string[]> =>
    fetchIndicators(
      {
        folder,
        indicators: [CODE],
        regions: [],
        since: null,
        onProgress: () => undefined,
        signal: new AbortController().signal,
        ...options,
      },
      {
        base,
        perPage: 3,
        limits: { tries: 3, timeoutMs, maxBytes: 100_000 },
        waiting: { sleep: (milliseconds) => Promise.resolve(pauses.push(milliseconds)), random: () => 0.5 },
        thisYear: () => 2026,
      },
    );

  const pagesAsked = (): string[] => asked.map((url) => new URL(url, base).searchParams.get('page') ?? '');

  it('fetches all pages of an indicator to files that can be imported', async () => {
    const progress: string[] = [];
    const paths = await fetchAll({ onProgress: (done, total, what) => progress.push(`${done}/${total} ${what}`) });
    expect(paths).toEqual([join(folder, pageName(1)), join(folder, pageName(2))]);
    expect(asked[0]).toBe(`/v2/country/all/indicator/${CODE}?format=json&per_page=3&page=1`);
    expect(progress).toEqual([`1/2 ${CODE}, page 1 of 2`, `2/2 ${CODE}, page 2 of 2`]);
    expect(await readFile(join(folder, pageName(2)), 'utf8')).toBe(captured(2));
    const [delivery] = await worldbank.open([folder], null);
    expect(delivery).toMatchObject({ vintage: '2026-07-01', basis: 'updated' });
  });

  it('requests only the given regions and years', async () => {
    await fetchAll({ regions: ['USA', 'WLD'], since: '2020-05-01' });
    expect(asked[0]).toBe(`/v2/country/USA;WLD/indicator/${CODE}?format=json&per_page=3&page=1&date=2020:2026`);
  });

  it.each([
    ['a 500', status(500)],
    ['a 429', status(429)],
    ['a connection that is cut inside the body', cut],
    ['a body that is cut short', cutQuietly],
    ['an empty body', text('')],
  ])('retries after %s', async (_, answer) => {
    script = [answer];
    expect(await fetchAll()).toHaveLength(2);
    expect(pagesAsked()).toEqual(['1', '1', '2']);
    expect(pauses).toEqual([750]);
  });

  it('retries after a server that stops sending', async () => {
    script = [silent];
    expect(await fetchAll({}, 500)).toHaveLength(2);
    expect(pagesAsked().slice(0, 2)).toEqual(['1', '1']);
  });

  it('waits as long as the server asks, otherwise increasingly long', async () => {
    script = [status(503, { 'retry-after': '7' }), status(500)];
    await fetchAll();
    expect(pauses).toEqual([7_000, 1_500]);
  });

  it('stops retrying after a limit', async () => {
    script = [status(500), status(502), status(503)];
    await expect(fetchAll()).rejects.toThrow('the server responded with 503 (3 tries)');
    expect(asked).toHaveLength(3);
  });

  it.each([
    ['an error with status 200', text(REFUSAL), 'Invalid value: The provided parameter value is not valid (120)'],
    ['a refusal with status 400', status(400), 'the server responded with 400: Please come back'],
    ['a page of HTML', text('<html><title>Request Error</title></html>'), 'HTML or XML that says "Request Error"'],
    ['other JSON', text('[1]'), "not a response of the World Bank's API"],
    ['another page', text(captured(2)), 'the response is page 2'],
    ['a body beyond all bounds', text(' '.repeat(100_001)), 'the answer is larger than 100000 bytes'],
  ])('gives up at once at %s', async (_, answer, message) => {
    script = [answer];
    await expect(fetchAll()).rejects.toThrow(message);
    expect(asked).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['.request.json']);
  });

  it('fetches only the pages that an earlier run lacks', async () => {
    script = [good, status(404)];
    await expect(fetchAll()).rejects.toThrow('404');
    expect(await fetchAll()).toHaveLength(2);
    expect(pagesAsked()).toEqual(['1', '2', '2']);
  });

  it('fetches all pages again after a run with another request', async () => {
    await fetchAll({ regions: ['USA'] });
    await fetchAll({ regions: ['USA', 'WLD'] });
    expect(pagesAsked()).toEqual(['1', '2', '1', '2']);
  });

  it('fetches an indicator again when its figures were updated between two pages', async () => {
    script = [good, updatedOn('2026-07-15'), updatedOn('2026-07-15'), updatedOn('2026-07-15')];
    await fetchAll();
    expect(pagesAsked()).toEqual(['1', '2', '1', '2']);
    expect((await worldbank.open([folder], null)).map(({ vintage }) => vintage)).toEqual(['2026-07-15']);
  });

  it('gives up when the figures are updated again and again', async () => {
    script = Array.from({ length: 8 }, (_, index) => updatedOn(`2026-07-1${index}`));
    await expect(fetchAll()).rejects.toThrow('kept updating its figures');
  });

  it('writes no file for an indicator without figures', async () => {
    script = [text('[{"page":0,"pages":0,"per_page":0,"total":0,"sourceid":null,"lastupdated":null},null]')];
    expect(await fetchAll()).toEqual([]);
  });

  it('fetches nothing more after an abort', async () => {
    const stop = new AbortController();
    const fetched = fetchAll({ signal: stop.signal, onProgress: () => stop.abort(new Error('Stopped')) });
    await expect(fetched).rejects.toThrow('Stopped');
    expect(pagesAsked()).toEqual(['1']);
  });

  it('sends nothing but codes of the catalogue', async () => {
    await expect(fetchAll({ indicators: ['../secrets'] })).rejects.toThrow('"../secrets" is not a code');
    expect(asked).toEqual([]);
  });
});
