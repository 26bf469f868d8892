// runs: in full only
// A wrong catalogue stops what needs it with one line, and nothing else. Each command is a process of its own.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.mjs';

const DIST = join(__dirname, '../../dist');

describe('A wrong catalogue', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark-wrong-'));
    expect(await run('cli', 'migrate')).toMatchObject({ code: 0 });
    await writeFile(join(folder, 'units.json'), '[{ "code": "parsec" }');
    await writeFile(join(folder, 'rates.csv'), 'Date,USD\n2026-04-13,1.08\n');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** The exit code and the output of a program of dist/. */
  const run = async (program: 'cli' | 'main', ...words: string[]) => {
    const env = {
      PATH: process.env.PATH,
      CATALOGUE_DIR: folder,
      PORT: String(await freePort()),
      DATA_DIR: join(folder, 'data'),
    };
    return new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
      execFile(process.execPath, [join(DIST, `${program}.js`), ...words], { env }, (error, out, err) => {
        resolve({ code: error === null ? 0 : error.code, out, err });
      });
    });
  };
  const fault = /^tidemark: the catalogue is wrong: \S+units\.json: is not JSON: .*$/m;

  it.each(['--help', 'import --help', 'versions list', 'accounts list'])('leaves %s alone', async (words) => {
    expect(await run('cli', ...words.split(' '))).toMatchObject({ code: 0 });
  });

  it('stops an import and a server with one line', async () => {
    const rates = join(folder, 'rates.csv');
    for (const stopped of [await run('cli', 'import', 'ecb', rates), await run('main')]) {
      expect(stopped).toMatchObject({ code: 1, err: expect.stringMatching(fault) as string });
      expect(stopped.err).not.toContain('    at ');
    }
  });

  it('is listed by the check, as text and as JSON, with exit code 1', async () => {
    const text = await run('cli', 'catalogue', 'check');
    expect(text).toMatchObject({ code: 1, out: expect.stringContaining('units.json: is not JSON') as string });
    const { code, out } = await run('cli', 'catalogue', 'check', folder, '--json');
    const { faults } = JSON.parse(out) as { faults: readonly object[] };
    expect({ code, faults }).toMatchObject({ code: 1, faults: [{ file: join(folder, 'units.json'), entry: null }] });
  });
});
