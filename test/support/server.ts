import { Writable } from 'node:stream';
import { Access } from '../../src/serve/access/accounts/access.js';
import { Peppers } from '../../src/serve/access/keys/peppers.js';
import { readConfig } from '../../src/domain/config/config.js';
import type { Connections } from '../../src/store/connections.js';
import { CLOCK, type Clock } from '../../src/domain/config/clock.js';
import { DATABASE_TIMEOUTS, type DatabaseTimeouts } from '../../src/store/database.module.js';
import { EventLoopMonitor } from '../../src/serve/http/overload/event-loop-monitor.js';
import { Log } from '../../src/serve/log/log.js';
import type { WarmUpBounds } from '../../src/serve/http/warm-up.js';
import type { Plan } from '../../src/domain/plans/plans.js';
import { startServer, type RunningServer } from '../../src/server.js';
import type { TestDatabase } from './database.js';
import { useCheapHashes } from './hash-counter.js';
import { freePort } from './free-port.mjs';
import { INSTANCES, startTogether } from './together.js';
import { until } from './until.js';

// What a hash costs is the matter of test/unit/passwords.spec.ts.
export const cheapHashes = useCheapHashes();
afterAll(() => cheapHashes.release());

/** The members of a response that most tests need. */
export interface Body<Data = unknown> {
  readonly data: Data;
  readonly meta: {
    readonly locale: string;
    readonly dataVersion: number | null;
    readonly publishedAt: string | null;
    readonly sources: readonly {
      readonly id: string;
      readonly attribution: string;
      readonly series: readonly { readonly key: string; readonly name: string; readonly url: string }[];
    }[];
    readonly notices: readonly string[];
    readonly page?: { readonly limit: number; readonly nextCursor: string | null };
    readonly total?: { readonly count: number; readonly exact: boolean };
  };
  readonly error?: {
    readonly type: string;
    readonly title: string;
    readonly status: number;
    readonly detail: string;
    readonly code: string;
    readonly requestId: string;
    readonly errors?: readonly { parameter: string; message: string; allowed?: string[] }[];
  };
}

export interface Reply<Data = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body<Data>;
}

export interface TestServer {
  readonly url: string;
  readonly server: RunningServer;
  readonly access: Access;
  /** Every line that the server logged. */
  readonly lines: string[];
  /** Waits for the log lines of these requests, because the server writes a line after it has sent the response. */
  logged(ids: readonly unknown[]): Promise<void>;
  /** A key of a new account. */
  readonly key: (plan?: Plan) => Promise<string>;
  /** With a new account's key if none is given; a new key replaces it before its minute is spent. */
  get<Data = unknown>(path: string, key?: string | null, init?: RequestInit): Promise<Reply<Data>>;
  close(): Promise<void>;
}

export interface TestServerOptions {
  readonly database: TestDatabase;
  readonly environment?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly peppers?: Peppers;
  /** Other connections than those of the database. */
  readonly connections?: Connections;
  /** The base URL in its responses; by default the one that it listens on. */
  readonly baseUrl?: string;
  /** Known in advance, where another server must know the address. */
  readonly port?: number;
  /** By default it sends itself no requests before it listens. */
  readonly warmingUp?: WarmUpBounds;
}

/** A machine that runs several suites stalls at times. Tests that cut the connection keep production's time-outs. */
const PATIENT: DatabaseTimeouts = { heartbeatMs: 10_000, connectionMs: 10_000 };

/**
 * A worker's CPU time is that of the suite, its clients and everything else that it starts, so it says nothing of the
 * service: tests of shedding fill the limits themselves, and drills overload a process of its own.
 */
const idleMonitor = () => new EventLoopMonitor({ monotonic: () => performance.now(), cpu: () => 0 });

export const TEST_PEPPER = 'only-for-tests-0001';
const TEST_PEPPERS = new Peppers([{ id: 'test', value: TEST_PEPPER }]);

/** The real application over a real socket on the suite's database. */
export async function startTestServer(options: TestServerOptions): Promise<TestServer> {
  const { database, environment = {}, clock, peppers = TEST_PEPPERS } = options;
  const port = options.port ?? (await freePort());
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(...chunk.toString().trimEnd().split('\n'));
      done();
    },
  });
  const url = `http://127.0.0.1:${port}`;
  const log = new Log('info', false, sink);
  const start = (own: number, shared: Readonly<Record<string, string>> = {}) =>
    startServer(
      {
        config: readConfig({ PORT: String(own), LOG_LEVEL: 'info', ...shared, ...environment }),
        connections: options.connections ?? database.connections,
        peppers,
        log,
        baseUrl: options.baseUrl ?? url,
      },
      [
        { provide: EventLoopMonitor, useFactory: idleMonitor },
        ...(clock === undefined ? [] : [{ provide: CLOCK, useValue: clock }]),
        ...(options.connections === undefined ? [{ provide: DATABASE_TIMEOUTS, useValue: PATIENT }] : []),
      ],
      options.warmingUp,
    );
  const server = INSTANCES === 1 ? await start(port) : await startTogether(port, await freePorts(INSTANCES), start);
  const source = await database.open('account');
  const access = new Access(source, peppers, () => new Date());
  let accounts = 0;
  let ownKey = { text: Promise.resolve(''), left: 0 };
  const key = async (plan: Plan = 'developer') => {
    accounts += 1;
    const email = `${plan}-${String(port)}-${String(accounts)}@test.example`;
    await access.createAccount({ email, plan, signedUpAt: new Date('2020-01-01T00:00:00Z') });
    return (await access.createKey(email, 'test')).text;
  };
  return {
    url,
    server,
    access,
    lines,
    logged: (ids) =>
      until(10_000, 'lines of the log', () => {
        const all = lines.join('\n');
        return Promise.resolve(ids.every((id) => all.includes(`"requestId":"${String(id)}"`)));
      }),
    key,
    get: async <Data>(path: string, sent?: string | null, init: RequestInit = {}) => {
      if (sent === undefined && ownKey.left === 0) ownKey = { text: key(), left: 100 };
      if (sent === undefined) ownKey.left -= 1;
      const used = sent === undefined ? await ownKey.text : sent;
      const headers = new Headers(init.headers);
      if (used != null) headers.set('authorization', `Bearer ${used}`);
      const response = await fetch(`${url}${path}`, { ...init, headers });
      const text = await response.text();
      const body = (text.startsWith('{') ? JSON.parse(text) : null) as Body<Data>;
      return { status: response.status, headers: response.headers, text, body };
    },
    close: async () => {
      await server.close();
      await source.destroy();
    },
  };
}

async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}
