// One process's share in a running engine: how to connect, what happens when the server dies, how to leave.
import { setTimeout as sleep } from 'node:timers/promises';
import { LOGIN_ROLES, type EngineRole } from './credentials.js';
import { EngineError, messageOf } from './engine-error.js';
import type { LeaseSession } from './lease.js';
import { stopPostmaster, type Postmaster } from './postmaster.js';
import { reachEngine, STOP_LIMIT_MS, type Engine } from './reach-engine.js';

export interface EngineConnection {
  /** The folder of the server's Unix socket; 127.0.0.1 on Windows. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

const REJOIN_PAUSE_MS = 1_000;

export class EngineMembership {
  private session: LeaseSession | undefined;
  private address: Postmaster | undefined;
  private rejoining: Promise<void> | undefined;
  private readonly leaving = new AbortController();

  constructor(
    private readonly engine: Engine,
    private readonly database: string,
    readonly firstStart: boolean,
  ) {}

  async join(signal: AbortSignal | undefined): Promise<void> {
    await this.reach(signal);
    try {
      await this.session?.prepare(this.engine.credentials, this.database);
    } catch (error) {
      await this.release();
      throw new EngineError(`The embedded database could not be prepared: ${messageOf(error)}`);
    }
  }

  connection(role: EngineRole): EngineConnection {
    if (!this.address) throw new EngineError('The embedded engine has not been joined');
    const { host, port } = this.address;
    const password = this.engine.credentials.passwords[role];
    return { host, port, user: LOGIN_ROLES[role], password, database: this.database };
  }

  async release(): Promise<void> {
    this.leaving.abort();
    await this.rejoining;
    const session = this.session;
    this.session = undefined;
    await session?.close((pid) => stopPostmaster(this.engine.home, pid, STOP_LIMIT_MS));
  }

  private async reach(signal: AbortSignal | undefined): Promise<void> {
    this.session = await reachEngine(this.engine, (deliberate) => this.onLost(deliberate), signal);
    this.address = this.session.postmaster;
  }

  private onLost(deliberate: boolean): void {
    this.session = undefined;
    if (this.leaving.signal.aborted) return;
    if (deliberate) this.engine.log('the embedded engine was stopped by someone else');
    else this.rejoining = this.rejoin();
  }

  /** A server that was killed is started again by those who need it, for as long as they do. */
  private async rejoin(): Promise<void> {
    const { signal } = this.leaving;
    this.engine.log('the embedded engine went away; joining it again');
    for (;;) {
      try {
        await this.reach(signal);
        this.engine.log('joined the embedded engine again');
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.engine.log(messageOf(error));
        await sleep(REJOIN_PAUSE_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}
