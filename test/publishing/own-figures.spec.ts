// runs: in full only
// Follows docs/tutorial/own-figures.md: its commands in their order, then its requests in three languages.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LOCALES, type Locale } from '../../src/domain/locale/locale.js';
import { freePort } from '../support/free-port.mjs';
import { until } from '../support/until.js';

const ROOT = join(__dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/tutorial/own-figures.md'), 'utf8');
const COMMANDS = [...PAGE.matchAll(/^npx tidemark (.+)$/gm)].map(([, words = '']) => words.split(' '));
const PATHS = [...PAGE.matchAll(/"http:\/\/127\.0\.0\.1:3000(\S+)"/g)].map(([, path = '']) => path);
const run = promisify(execFile);

interface Answer {
  readonly data: unknown;
  readonly meta: { readonly sources: readonly { id: string; licence: { id: string } }[] };
}

describe('The tutorial of own figures', () => {
  let folder: string;
  let environment: Record<string, string>;
  const outputs: string[] = [];
  let server: ChildProcess;
  let url: string;
  let key = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark-own-'));
    const [, dir = ''] = /^export CATALOGUE_DIR=(\S+)$/m.exec(PAGE) ?? [];
    const port = String(await freePort());
    url = `http://127.0.0.1:${port}`;
    environment = { PATH: process.env.PATH ?? '', DATA_DIR: folder, PORT: port, CATALOGUE_DIR: dir };
    for (const command of COMMANDS) {
      const options = { cwd: ROOT, env: environment };
      outputs.push((await run(process.execPath, [join(ROOT, 'dist/cli.js'), ...command], options)).stdout);
    }
    server = spawn(process.execPath, [join(ROOT, 'dist/main.js')], { cwd: ROOT, env: environment });
    let output = '';
    server.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await until(120_000, 'the demo key', () => {
      if (server.exitCode !== null) throw new Error(`The server ended: ${output}`);
      key = /Demo key +(tm_\w+)/.exec(output)?.[1] ?? '';
      return Promise.resolve(key !== '');
    });
  });

  afterAll(async () => {
    if (server.exitCode === null) {
      const closed = once(server, 'close');
      server.kill('SIGTERM');
      await closed;
    }
    await rm(folder, { recursive: true, force: true });
  });

  const ask = async (path: string, locale: Locale): Promise<Answer> => {
    const address = new URL(path, url);
    address.searchParams.set('locale', locale);
    const response = await fetch(address, { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).toBe(200);
    return (await response.json()) as Answer;
  };

  it('checks a catalogue without a fault', () => {
    expect(outputs[0]).toMatch(/^No fault: /);
  });

  it('rehearses and imports two vintages, whose second makes releases and a revision', () => {
    expect(outputs[2]).toContain('would be published');
    expect(outputs[3]).toContain('15 releases, 1 revisions');
    expect(outputs[4]).toContain('data version 4');
  });

  it.each(LOCALES)('serves its figures, names and changes in %s', async (locale) => {
    const [series = '', market = '', search = '', changes = ''] = PATHS;
    const texts = {
      en: ['Sales of Nordwind', '€8.84 million', '€6.39 a kilogram', 'Germany: sales of Nordwind rose'],
      zh: ['Nordwind销售额', '883.7万欧元', '每千克6.39欧元', '德国2026年7月Nordwind销售额'],
      ja: ['Nordwind売上高', '883万7000ユーロ', '1キログラム6.39ユーロ', 'ドイツのNordwind売上高、2026年7月は'],
    } as const;
    const [name, sales, price, headline] = texts[locale];
    const macro = await ask(series, locale);
    expect(macro.data).toMatchObject({ indicator: { name }, series: [{ region: {}, source: 'nordwind' }] });
    expect(JSON.stringify(macro.data)).toContain(sales);
    expect(macro.meta.sources).toMatchObject([{ id: 'nordwind', licence: { id: 'nordwind-internal' } }]);
    expect((await ask(market, locale)).data).toMatchObject({ quote: { last: { text: price } } });
    expect((await ask(search, locale)).data).toHaveLength(5);
    const { data } = (await ask(changes, locale)) as { data: readonly { readonly headline: string }[] };
    expect(data.map((change) => change.headline).filter((text) => text.includes(headline))).toHaveLength(1);
  });

  it('writes its own verb, and the form of its unit for one', async () => {
    const { data } = (await ask(PATHS[3] ?? '', 'en')) as { data: readonly { readonly summary: string }[] };
    expect(data.map(({ summary }) => summary)).toContainEqual(
      expect.stringMatching(/^Germany: .*shops of Nordwind grew by 1 shop \(0\.8\d?%\) to 124 shops/),
    );
  });

  it('starts no server without its catalogue, and leaves other commands alone', async () => {
    const closed = once(server, 'close');
    server.kill('SIGTERM');
    await closed;
    const options = { cwd: ROOT, env: { ...environment, CATALOGUE_DIR: '' } };
    await expect(run(process.execPath, [join(ROOT, 'dist/main.js')], options)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^tidemark: the database has figures of which the catalogue lacks indicators nordwind-.*; licences nordwind-internal; .*units .*: set CATALOGUE_DIR/m,
      ) as string,
    });
    const versions = await run(process.execPath, [join(ROOT, 'dist/cli.js'), 'versions', 'list'], options);
    expect(versions.stdout).toContain('nordwind: vintage of');
  });
});
