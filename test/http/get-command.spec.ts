// runs: in full only
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';

const CLI = join(__dirname, '../../dist/cli.js');

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('tidemark get', () => {
  let database: TestDatabase;
  let service: TestServer;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
    key = await service.key('free');
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const get = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    new Promise<Ended>((resolve) => {
      const env = { PATH: process.env.PATH, TIDEMARK_URL: service.url, TIDEMARK_KEY: key, ...environment };
      execFile(process.execPath, [CLI, 'get', ...args], { env }, (error, stdout, stderr) => {
        expect(stdout + stderr).not.toContain(key);
        resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
      });
    });

  it('prints the JSON of a response, then of the error over the limit, with the exit code of each', async () => {
    const first = await get(['/changes?limit=1&locale=ja']);
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(first.stdout)).toMatchObject({ data: [{}], meta: { locale: 'ja' } });
    const second = await get(['/changes?limit=1']);
    expect([second.status, second.stderr]).toEqual([
      6,
      expect.stringMatching(/^tidemark: 429 minute_limit_exceeded: .*; try again in \d+ s\n$/) as string,
    ]);
    expect(JSON.parse(second.stdout)).toMatchObject({ error: { code: 'minute_limit_exceeded' } });
  });

  it('has an exit code for a wrong key, an unknown thing and a wrong parameter', async () => {
    const developer = { TIDEMARK_KEY: await service.key('developer') };
    const ended = await Promise.all([
      get(['changes', '--key', `tm_${'a'.repeat(36)}`]),
      get(['/api/v1/topics/inflaton'], developer),
      get(['/changes?limit=0'], developer),
    ]);
    expect(ended.map(({ status }) => status)).toEqual([4, 5, 2]);
    expect(ended[1].stderr).toContain('404 not_found');
  });

  it('sends the key neither to another host nor onto the terminal', async () => {
    const other = createServer((_, response) => response.writeHead(302, { location: service.url }).end());
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const ended = await Promise.all([
      get(['//127.0.0.1:1/changes']),
      get(['changes', '--key', `${key}\n\u00e9`]),
      get(['changes'], { TIDEMARK_URL: `http://127.0.0.1:${port}` }),
      get(['changes'], { TIDEMARK_URL: 'http://127.0.0.1:1' }),
      get(['changes'], { TIDEMARK_KEY: '' }),
    ]);
    other.close();
    expect(ended.map(({ status }) => status)).toEqual([6, 2, 1, 1, 2]);
    expect(ended[3].stderr).toMatch(/^tidemark: no response from http:\/\/127\.0\.0\.1:1: .+\n$/);
  });
});
