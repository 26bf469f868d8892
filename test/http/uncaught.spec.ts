// runs: in full only
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { freePort } from '../support/free-port.mjs';
import { startProcess, until, type ServerProcess } from '../support/processes.js';

const CLI = join(__dirname, '../../dist/cli.js');
/** Loaded into a command: rejects a promise as soon as the command adds a listener for that. */
const REJECTING = `data:text/javascript,const timer = setInterval(() => {
  if (process.listenerCount('unhandledRejection') === 0) return;
  clearInterval(timer);
  void Promise.reject(new Error('nobody waits for this'));
}, 20);`;
const CONTROL = join(__dirname, '../support/control-port.mjs');

describe('An uncaught error', () => {
  let database: TestDatabase;
  const started: ServerProcess[] = [];

  beforeAll(async () => {
    database = await createTestDatabase('figures');
  });
  afterAll(async () => {
    await Promise.all(started.map((one) => one.stop()));
    await database.drop();
  });

  const start = async () => {
    const [control, metrics] = [await freePort(), await freePort()].map(String);
    const environment = {
      NODE_OPTIONS: `--import=${CONTROL}`,
      CONTROL_PORT: control ?? '',
      METRICS_PORT: metrics ?? '',
    };
    const server = await startProcess(database, environment);
    started.push(server);
    const at = (port: string | undefined, path: string) =>
      fetch(`http://127.0.0.1:${port ?? ''}${path}`).then((reply) => reply.text());
    return { server, cause: (what: string) => at(control, what), metrics: () => at(metrics, '/metrics') };
  };

  it('does not end the process if it is a rejected promise: it is logged as an error, and counted', async () => {
    const { server, cause, metrics } = await start();
    expect(await metrics()).toContain('tidemark_unhandled_rejections_total 0');
    await cause('/reject');
    await until(10_000, 'the count', async () => (await metrics()).includes('tidemark_unhandled_rejections_total 1'));
    await until(10_000, 'the line', () =>
      Promise.resolve(/"level":"error".*"message":"nobody waits for this"/.test(server.output())),
    );
    expect((await exchange(server.url, '/health/live')).status).toBe(200);
  });

  it('is not a warning of Node, which is one JSON line of the log', async () => {
    const { server, cause } = await start();
    await cause('/warn');
    await until(10_000, 'the line', () => Promise.resolve(server.output().includes('DEP9999')));
    const lines = server.output().split('\n');
    expect(lines.filter((line) => /DEP9999|goes away|trace-deprecation/.test(line))).toEqual([
      expect.stringMatching(
        /^\{"level":"warn",.*"code":"DEP9999","message":"DeprecationWarning: this call goes away"\}$/,
      ),
    ]);
  });

  it('ends a command with one line and exit code 1', async () => {
    const command = promisify(execFile)(process.execPath, ['--import', REJECTING, CLI, '--help'], { timeout: 30_000 });
    await expect(command).rejects.toMatchObject({ code: 1, stderr: 'tidemark: nobody waits for this\n' });
  });

  it('names the variable of a port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const port = String((taken.address() as AddressInfo).port);
    await expect(startProcess(database, { METRICS_PORT: port })).rejects.toThrow(
      `port ${port} is taken: stop what listens there, or set METRICS_PORT to another`,
    );
    await expect(startProcess(database, { PORT: port })).rejects.toThrow('or set PORT to another');
    taken.close();
  });

  it('stops the process in order if it is an exception: it is logged as an error, with exit code 1', async () => {
    const { server, cause } = await start();
    await cause('/throw');
    expect(await server.ended()).toEqual({ code: 1, signal: null });
    expect(server.output()).toMatch(/"level":"error".*"message":"nobody catches this"/);
    expect(server.output()).toMatch(/"message":"stopping"[^]*"message":"stopped"/);
  });
});
