// runs: in full only
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { publishRegister } from './registered.js';

const FOLDER = path.join(import.meta.dirname, '../../packages/python');
/** Debian's. */
const PYTHON = '/usr/bin/python3';
const isThere = spawnSync(PYTHON, ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;
const described = isThere ? describe : describe.skip;

described(`The Python package, where ${PYTHON} is 3.9 or later`, () => {
  let database: TestDatabase;
  let service: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase('full');
    await publishRegister(database);
    service = await startTestServer({ database });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it('passes its own tests against the service', async () => {
    const environment = {
      PATH: process.env['PATH'],
      PYTHONPATH: path.join(FOLDER, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
      TIDEMARK_URL: service.url,
      TIDEMARK_KEY: await service.key(),
    };
    const tests = spawn(PYTHON, ['-m', 'unittest', 'discover', '-s', 'tests'], { cwd: FOLDER, env: environment });
    let text = '';
    tests.stderr.on('data', (bytes: Buffer) => (text += bytes.toString()));
    const [status] = (await once(tests, 'close')) as [number];
    expect({ status, text }).toEqual({ status: 0, text: expect.stringContaining('OK') as string });
  });
});
