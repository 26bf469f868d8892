import type { Socket } from 'node:net';
import pg from 'pg';
import { WaitingList } from '../domain/waiting-list.js';

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (fault?: Error | boolean) => void,
) => void;

/** Members of a `pg` client that its types do not declare. */
interface ClientInternals {
  readonly connection: { readonly stream: Socket };
  readonly readyForQuery?: boolean;
}

export interface CircuitBreakerPoolConfig extends pg.PoolConfig {
  /** Milliseconds to wait for a connection, queueing and connecting included; undefined: `pg`'s own bounds. */
  readonly waitMs?: number;
}

/** The message of `pg`'s own error for a connection that took too long. */
export const CONNECT_TIMEOUT = 'timeout exceeded when trying to connect';
const noop = (): void => undefined;
/** How long `end` waits for a server that does not close its sessions. */
const END_TIMEOUT_MS = 1_000;

/**
 * A pool with a circuit breaker. `trip` rejects all callers at once, in the queue and in the middle of a statement;
 * until `reset` every `connect` fails without waiting.
 */
export class CircuitBreakerPool extends pg.Pool {
  private readonly clients = new Set<pg.PoolClient>();
  private readonly waiting = new WaitingList<(error: Error) => void>();
  private readonly waitMs: number | undefined;
  private isOpen = false;

  constructor(config: CircuitBreakerPoolConfig) {
    super(config);
    this.waitMs = config.waitMs;
    this.on('connect', (client) => {
      this.clients.add(client);
      // A client between two statements has no other listener, and an unhandled 'error' event ends the process.
      client.on('error', noop);
    });
    this.on('remove', (client) => this.clients.delete(client));
    this.on('error', noop);
  }

  /** Destroys every connection, idle ones included: none may be reused after an outage. */
  trip(): void {
    this.isOpen = true;
    for (const refuse of this.waiting.values()) refuse(new Error('Connection terminated: the server does not answer'));
    for (const client of this.clients) destroySocket(client);
  }

  reset(): void {
    this.isOpen = false;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (callback !== undefined) {
      this.lend(callback);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.lend((error, client) => {
        if (client === undefined) reject(error ?? new Error('Connection terminated'));
        else resolve(client);
      });
    });
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | undefined {
    const timer = this.waitMs === undefined ? undefined : setTimeout(() => this.trip(), END_TIMEOUT_MS);
    const ended = super.end().finally(() => clearTimeout(timer));
    if (callback === undefined) return ended;
    ended.then(callback, callback);
    return undefined;
  }

  private lend(callback: ConnectCallback): void {
    if (this.isOpen) {
      process.nextTick(callback, new Error('Connection terminated: the server was lost'), undefined, noop);
      return;
    }
    let settled = false;
    const settle = (): boolean => {
      if (settled) return false;
      settled = true;
      clearTimeout(timer);
      remove();
      return true;
    };
    const refuse = (error: Error): void => {
      if (settle()) callback(error, undefined, noop);
    };
    const late = () => refuse(new Error(CONNECT_TIMEOUT));
    const timer = this.waitMs === undefined ? undefined : setTimeout(late, this.waitMs);
    const remove = this.waiting.add(refuse);
    super.connect((error, client) => {
      if (client !== undefined) destroyIfBusy(client);
      if (settle()) callback(error, client, (fault) => client?.release(fault));
      // The caller has already timed out.
      else client?.release(this.isOpen);
    });
  }
}

/** A client released in the middle of a statement would delay its next user: the pool destroys it. */
function destroyIfBusy(client: pg.PoolClient): void {
  const release = client.release.bind(client);
  client.release = (fault) => release(fault ?? internalsOf(client).readyForQuery === false);
}

function internalsOf(client: pg.ClientBase): ClientInternals {
  return client as unknown as ClientInternals;
}

/** A graceful end would wait for a server that does not respond. */
export function destroySocket(client: pg.ClientBase): void {
  internalsOf(client).connection.stream.destroy();
}
