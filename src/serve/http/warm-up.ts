import { Agent, request, type ClientRequest, type OutgoingHttpHeaders, type Server } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { KeyVerifier } from '../access/keys/key-verifier.js';
import { MCP_PATH } from './request/early-checks.middleware.js';

export interface WarmUpBounds {
  readonly rounds: number;
  /** The longest time, also if a server that it needs does not respond. */
  readonly ms: number;
}

interface Asked {
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  /** A message makes it a POST. */
  readonly message?: object;
}

/** Together with loading, a start stays below five seconds. */
export const WARM_UP: WarmUpBounds = { rounds: 40, ms: 2_000 };
const AT_ONCE = 4;
const CHANGES = '/api/v1/changes?limit=20';
const LATEST = { name: 'latest_changes', arguments: { limit: 10 } };

/**
 * Requests the hot routes and tools of a server that does not listen yet, with a key that only this process has:
 * a fresh process otherwise spends several times as much on its first thousands of requests. Nobody counts, logs or
 * measures these requests. Failures do not matter, and time is bounded.
 */
export async function warmUp(server: Server, keys: KeyVerifier, bounds = WARM_UP): Promise<void> {
  await keys.withOwnKey(async (key) => {
    const agent = new MemoryAgent(server);
    const ended = new AbortController();
    const isOver = () => ended.signal.aborted;
    const all = Array.from({ length: bounds.rounds }, (_, round) => requestsOf(round)).flat();
    const walk = async () => {
      for (let next = all.shift(); next !== undefined && !isOver(); next = all.shift()) await send(agent, key, next);
    };
    const walks = Promise.all(Array.from({ length: AT_ONCE }, walk));
    await Promise.race([walks, wait(bounds.ms, undefined, { signal: ended.signal })]).catch(() => undefined);
    ended.abort();
    agent.destroy();
    await walks;
  });
}

/** What clients ask for most, most of it from the cache, and each time something that no cache has. */
function requestsOf(round: number): Asked[] {
  // After all changes, so that the rows are those of the first page.
  const until = new Date(Date.UTC(2100, 0, 1) + round).toISOString();
  const cached: Asked[] = [
    { path: CHANGES },
    { path: CHANGES, headers: { 'accept-encoding': 'gzip' } },
    { path: '/api/v1/macro/gdp-growth?region=JP' },
    { path: MCP_PATH, message: { method: 'tools/call', params: LATEST } },
    { path: MCP_PATH, message: { method: 'tools/list' } },
  ];
  const computed: Asked[] = [
    { path: `${CHANGES}&until=${until}` },
    { path: `${CHANGES}&country=JP&until=${until}` },
    {
      path: MCP_PATH,
      message: { method: 'tools/call', params: { ...LATEST, arguments: { ...LATEST.arguments, until } } },
    },
  ];
  return [...Array.from({ length: 8 }, () => cached).flat(), ...computed];
}

/** Resolves after the response, whatever it is, and after a failure. */
function send(agent: Agent, key: string, { path, headers, message }: Asked): Promise<void> {
  return new Promise((resolve) => {
    const post = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const sent: ClientRequest = request({
      agent,
      path,
      method: message === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, ...(message !== undefined && post), ...headers },
    });
    sent.on('response', (response) => response.resume().on('close', resolve));
    sent.on('error', () => resolve());
    sent.end(message === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }));
  });
}

/** Connects to a server of this process in memory: no port is open. */
class MemoryAgent extends Agent {
  constructor(private readonly server: Server) {
    super({ keepAlive: true, maxSockets: AT_ONCE });
  }

  override createConnection(): Duplex {
    const [ours, theirs] = duplexPair();
    this.server.emit('connection', theirs);
    return ours;
  }

  /** A stream in memory has no kernel that keeps it alive. */
  override keepSocketAlive(): boolean {
    return true;
  }

  /** Node leaves the listener of the idle connection on it. */
  override reuseSocket(connection: Duplex): void {
    connection.removeAllListeners('error');
  }
}
