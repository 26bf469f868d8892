import type { Socket } from 'node:net';
import pg from 'pg';

type Lent = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (fault?: Error | boolean) => void,
) => void;

/** What `pg` keeps in its clients without declaring it. */
interface Inside {
  readonly connection: { readonly stream: Socket };
  readonly readyForQuery?: boolean;
}

export interface GuardedPoolConfig extends pg.PoolConfig {
  /** Milliseconds that one may wait for a connection, queueing and connecting included; without it, as `pg` does. */
  readonly waitMs?: number;
}

const NOTHING = (): void => undefined;
/** A server that is asked to end a session and does not, is not waited for longer. */
const FAREWELL_MS = 1_000;

/**
 * A pool that can be cut off from a server that does not answer: whoever waits for it, in the queue or in the
 * middle of a statement, is told at once, and nobody begins to wait until it is restored.
 */
export class GuardedPool extends pg.Pool {
  private readonly open = new Set<pg.PoolClient>();
  private readonly waiting = new Set<(error: Error) => void>();
  private readonly waitMs: number | undefined;
  private isCut = false;

  constructor(config: GuardedPoolConfig) {
    super(config);
    this.waitMs = config.waitMs;
    this.on('connect', (client) => {
      this.open.add(client);
      // One that is lent and between two statements has nobody who listens, and an unheard error ends the process.
      client.on('error', NOTHING);
    });
    this.on('remove', (client) => this.open.delete(client));
    this.on('error', NOTHING);
  }

  /** Ends all there is, the idle too: what stood open to a server that was lost is not trusted again. */
  cut(): void {
    this.isCut = true;
    for (const refuse of this.waiting) refuse(new Error('Connection terminated: the server does not answer'));
    for (const client of this.open) hangUp(client);
  }

  restore(): void {
    this.isCut = false;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Lent): void;
  override connect(callback?: Lent): Promise<pg.PoolClient> | undefined {
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
    const timer = this.waitMs === undefined ? undefined : setTimeout(() => this.cut(), FAREWELL_MS);
    const ended = super.end().finally(() => clearTimeout(timer));
    if (callback === undefined) return ended;
    ended.then(callback, callback);
    return undefined;
  }

  private lend(callback: Lent): void {
    if (this.isCut) {
      process.nextTick(callback, new Error('Connection terminated: the server was lost'), undefined, NOTHING);
      return;
    }
    let settled = false;
    const settle = (): boolean => {
      if (settled) return false;
      settled = true;
      clearTimeout(timer);
      this.waiting.delete(refuse);
      return true;
    };
    const refuse = (error: Error): void => {
      if (settle()) callback(error, undefined, NOTHING);
    };
    const late = () => refuse(new Error('timeout exceeded when trying to connect'));
    const timer = this.waitMs === undefined ? undefined : setTimeout(late, this.waitMs);
    this.waiting.add(refuse);
    super.connect((error, client) => {
      if (client !== undefined) refuseBusy(client);
      if (settle()) callback(error, client, (fault) => client?.release(fault));
      // It came for somebody who has gone.
      else client?.release(this.isCut);
    });
  }
}

/** Given back with a statement still under way, the next borrower would wait for that one's answer. */
function refuseBusy(client: pg.PoolClient): void {
  const release = client.release.bind(client);
  client.release = (fault) => release(fault ?? inside(client).readyForQuery === false);
}

function inside(client: pg.PoolClient): Inside {
  return client as unknown as Inside;
}

function hangUp(client: pg.PoolClient): void {
  inside(client).connection.stream.destroy();
}
