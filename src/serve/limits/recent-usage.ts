import type { DataSource } from 'typeorm';
import type { Caller } from '../access/keys/caller.js';
import { givenName } from '../../domain/names/one-line.js';
import type { RefusedRequest } from './usage.entity.js';
import { MINUTE_MS } from './window.js';

/** $1 accounts, $2 minutes, $3 counts */
const ADD_MINUTES = 'SELECT record_minutes($1, $2, $3)';

/** $1 keys, $2 times, $3 clients */
const TOUCH_KEYS = 'SELECT record_key_uses($1, $2, $3)';

/** $1 accounts, $2 lists */
const ADD_REFUSALS = 'SELECT record_refusals($1, $2)';

const FORGET = 'SELECT forget_minutes($1)';

/** The account page shows a day by hour, and its last hour by minute. */
const KEPT_MINUTES = 24 * 60 + 1;
const MOST_CLIENT_LENGTH = 100;
/** Of an account, as the table keeps them. */
const MOST_REFUSALS = 20;

interface AdmittedRequest {
  readonly caller: Caller;
  readonly receivedAt: Date;
}

interface KeyUse {
  readonly at: Date;
  readonly client: string;
}

/**
 * Shows owners what used their account: admitted requests by minute, the newest refused ones, and when and by which client
 * each key was last used. It decides nothing, so a `kill -9` may lose the seconds since the last write.
 */
export class RecentUsage {
  private minutes = new Map<string, number>();
  private keys = new Map<string, KeyUse>();
  private refusals = new Map<string, RefusedRequest[]>();
  private prunedAt = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: DataSource) {}

  start(everyMs: number): void {
    this.timer = setInterval(() => void this.flush().catch(() => undefined), everyMs);
    this.timer.unref();
  }

  /**
   * @param client the request's `User-Agent`
   * @param isFree the request uses its key, but nothing of the plan
   */
  record({ caller, receivedAt: at }: AdmittedRequest, client: string | undefined, isFree: boolean): void {
    const { accountId, keyId } = caller;
    if (keyId !== null) this.keys.set(keyId, { at, client: client ?? '' });
    if (isFree) return;
    const minute = `${at.getTime() - (at.getTime() % MINUTE_MS)} ${accountId}`;
    this.minutes.set(minute, (this.minutes.get(minute) ?? 0) + 1);
  }

  /** Those that cannot be written are lost. */
  refuse(accountId: string, refused: RefusedRequest): void {
    const earlier = this.refusals.get(accountId) ?? [];
    // A client beyond its limit repeats one request: it must not push out the others.
    const same = earlier.find((one) => kindOf(one) === kindOf(refused));
    const newest = { ...refused, times: refused.times + (same?.times ?? 0) };
    const others = earlier.filter((one) => one !== same);
    this.refusals.set(accountId, [newest, ...others].slice(0, MOST_REFUSALS));
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    // The recorder of the plan's days reports a database that is away.
    await this.flush().catch(() => undefined);
  }

  /** Keeps what could not be written for the next time, but no longer than the page shows it. */
  async flush(): Promise<void> {
    const { minutes, keys, refusals } = this;
    if (minutes.size === 0 && keys.size === 0 && refusals.size === 0) return;
    this.minutes = new Map();
    this.keys = new Map();
    this.refusals = new Map();
    try {
      await this.write(minutes, keys, refusals);
    } catch (error) {
      this.takeBack(minutes, keys);
      throw error;
    }
  }

  private async write(
    minutes: ReadonlyMap<string, number>,
    keys: ReadonlyMap<string, KeyUse>,
    refusals: ReadonlyMap<string, readonly RefusedRequest[]>,
  ): Promise<void> {
    const rows = [...minutes.keys()].map(partsOf);
    const uses = [...keys.values()];
    await this.database.transaction(async (manager) => {
      await manager.query(ADD_MINUTES, [
        rows.map(({ accountId }) => accountId),
        rows.map(({ minute }) => new Date(minute)),
        [...minutes.values()],
      ]);
      await manager.query(TOUCH_KEYS, [
        [...keys.keys()],
        uses.map(({ at }) => at),
        uses.map(({ client }) => nameOf(client)),
      ]);
      const lists = [...refusals.values()].map((list) => JSON.stringify(list));
      if (lists.length > 0) await manager.query(ADD_REFUSALS, [[...refusals.keys()], lists]);
      const newest = Math.max(this.prunedAt, newestMinute(minutes));
      if (newest > this.prunedAt) await manager.query(FORGET, [new Date(newest - KEPT_MINUTES * MINUTE_MS)]);
      this.prunedAt = newest;
    });
  }

  private takeBack(minutes: ReadonlyMap<string, number>, keys: ReadonlyMap<string, KeyUse>): void {
    const oldest = newestMinute(minutes) - KEPT_MINUTES * MINUTE_MS;
    for (const [key, count] of minutes) {
      if (partsOf(key).minute > oldest) this.minutes.set(key, (this.minutes.get(key) ?? 0) + count);
    }
    this.keys = new Map([...keys, ...this.keys]);
  }
}

const kindOf = ({ method, path, status, code, parameters }: RefusedRequest): string =>
  [method, path, status, code, ...parameters].join(' ');

function partsOf(key: string): { readonly minute: number; readonly accountId: string } {
  const [minute, accountId = ''] = key.split(' ', 2);
  return { minute: Number(minute), accountId };
}

/** Not by spreading the keys: there may be more of them than a call takes arguments. */
function newestMinute(minutes: ReadonlyMap<string, number>): number {
  let newest = 0;
  for (const key of minutes.keys()) newest = Math.max(newest, partsOf(key).minute);
  return newest;
}

/** A client writes this text, and its owner reads it. */
function nameOf(client: string): string {
  return givenName(client.slice(0, MOST_CLIENT_LENGTH), MOST_CLIENT_LENGTH) ?? '';
}
