// One process's use of the shared server: its logins, the restart after a crash, the release.
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOGIN_ROLES, passwordOf, type LoginRole } from './credentials.js';
import { EmbeddedPostgresError, messageOf } from './embedded-postgres-error.js';
import type { ProcessLock } from './process-lock.js';
import { STOP_LIMIT_MS, stopPostmaster, type Postmaster } from './postmaster.js';
import { connectOrStart, type Server } from './connect-or-start.js';
import type { Guard } from './guard.js';

export interface LoginConnection {
  /** The folder of the server's Unix socket; 127.0.0.1 on Windows. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

const RECONNECT_PAUSE_MS = 1_000;

export class SharedSession {
  private lock: ProcessLock | undefined;
  private address: Postmaster | undefined;
  private reconnecting: Promise<void> | undefined;
  private logStart = 0;
  private readonly released = new AbortController();

  constructor(
    private readonly server: Server,
    private readonly guard: Guard,
    private readonly database: string,
    readonly firstStart: boolean,
  ) {}

  async open(signal: AbortSignal | undefined): Promise<void> {
    this.logStart = (await stat(this.server.home.logFile).catch(() => undefined))?.size ?? 0;
    try {
      await this.connect(signal);
      await this.lock?.prepare(this.server.credentials, this.database).catch((error: unknown) => {
        throw new EmbeddedPostgresError(`The embedded database could not be prepared: ${messageOf(error)}`);
      });
    } catch (error) {
      await this.release();
      throw error;
    }
  }

  connection(role: LoginRole): LoginConnection {
    if (!this.address) throw new EmbeddedPostgresError('The embedded PostgreSQL is not open');
    const { host, port } = this.address;
    const password = passwordOf(this.server.credentials, role);
    return { host, port, user: LOGIN_ROLES[role], password, database: this.database };
  }

  async fullDisk(): Promise<string | undefined> {
    const { folder, logFile } = this.server.home;
    const log = await readFile(logFile).catch(() => Buffer.alloc(0));
    return log.includes('No space left on device', this.logStart) ? folder : undefined;
  }

  async release(): Promise<void> {
    this.released.abort();
    await this.reconnecting;
    const { lock } = this;
    this.lock = undefined;
    // Without the lock, a start was abandoned, whose server may still be on its way.
    if (!lock) return this.guard.strike(STOP_LIMIT_MS);
    const isKnown = await lock.release((pid) => stopPostmaster(this.server.home, pid, STOP_LIMIT_MS));
    // A server that crashed meanwhile, for example on a full disk, starts again by itself.
    if (isKnown) this.guard.dismiss();
    else await this.guard.strike(STOP_LIMIT_MS);
  }

  private async connect(signal: AbortSignal | undefined): Promise<void> {
    this.lock = await connectOrStart(this.server, (deliberate) => this.onLost(deliberate), signal);
    this.address = this.lock.postmaster;
  }

  private onLost(deliberate: boolean): void {
    this.lock = undefined;
    if (this.released.signal.aborted) return;
    if (!deliberate) this.reconnecting = this.reconnect();
    else {
      this.guard.dismiss();
      this.server.log('the embedded PostgreSQL was stopped by another process');
    }
  }

  /** Starts a server that died again, until it runs or this process releases it. */
  private async reconnect(): Promise<void> {
    const { signal } = this.released;
    this.server.log('the embedded PostgreSQL stopped unexpectedly: restarting it');
    for (;;) {
      try {
        await this.connect(signal);
        this.server.log('the embedded PostgreSQL runs again');
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.server.log(messageOf(error));
        await sleep(RECONNECT_PAUSE_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}
