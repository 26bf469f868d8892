import { Redis } from 'ioredis';
import { RedisStore } from '../../src/serve/limits/redis/redis-store.js';
import { SlowProxy } from '../faults/cluster/slow-proxy.mjs';
import { isAbsence, losesMemory, type Fault, type History } from './histories.js';
import { PrivateRedis } from './redis-servers.js';
import type { Budget } from '../../src/serve/limits/rate-limit-store.js';

const MINUTE_MS = 60_000;
const PER_DAY = 100_000;
/** In the first, instances have the reserve; after the second, their shares of whole minutes. */
const OUTAGE_STEPS_MS = [30_000, 41_000];
/** An instance writes its counts twice a second. */
const WRITTEN_AFTER_MS = 1_000;
/** Instances have registered, and have shares of the reserve. */
const SETTLED_MS = 1_600;

/** An admitted request: the store decided between its sending and its response. */
interface Admission {
  readonly sent: number;
  readonly resolved: number;
}

export interface Excess {
  readonly account: number;
  readonly perMinute: number;
  readonly admitted: number;
  readonly allowed: number;
}

interface Instance {
  store: RedisStore;
  proxy: SlowProxy;
  readonly clock: { offset: number };
  hasEnded: boolean;
}

/** Runs a history with real stores, a real Redis, and a proxy for each instance. */
class HistoryRun {
  readonly admissions: Admission[][];
  private readonly instances: Instance[] = [];
  private readonly opened: { readonly store: RedisStore; readonly proxy: SlowProxy }[] = [];
  private readonly pending: Promise<unknown>[] = [];
  private server!: PrivateRedis;
  /** Ahead of the monotonic clock: an outage of minutes passes in seconds. */
  private ahead = 0;
  private readonly run = Math.random().toString(36).slice(2);

  constructor(private readonly history: History) {
    this.admissions = history.accounts.map(() => []);
  }

  async play(): Promise<void> {
    this.server = await PrivateRedis.start();
    while (this.instances.length < this.history.instances) this.instances.push(await this.start());
    await Promise.all(this.instances.map(({ store }) => store.ready(20_000)));
    await this.after(SETTLED_MS);
    this.history.accounts.forEach(({ seenBy }, account) => {
      for (let index = 0; index < Math.min(seenBy, this.instances.length); index += 1) this.request(account, index);
    });
    await Promise.all(this.pending.splice(0));
    await Promise.all([...this.bursts(), ...this.faults()]);
    await Promise.all(this.pending);
  }

  async end(): Promise<void> {
    this.server.thaw();
    await Promise.all(this.opened.map(({ store }) => store.close()));
    for (const { proxy } of this.opened) proxy.close();
    await this.server.kill();
  }

  private bursts(): Promise<void>[] {
    return this.history.accounts.flatMap(({ perMinute, bursts }, account) =>
      bursts.map(async ({ at, times, from, width }) => {
        await this.after(at);
        const count = Math.max(1, Math.round(perMinute * times));
        for (let index = 0; index < count; index += 1)
          this.request(account, (from + (index % width)) % this.instances.length);
      }),
    );
  }

  private faults(): Promise<void>[] {
    return this.history.faults.map(async (fault) => {
      await this.after(fault.at);
      await this.strike(fault);
    });
  }

  private async strike({ kind, ms, instance }: Fault): Promise<void> {
    const one = this.instances[instance];
    const concerned = one === undefined ? this.instances : [one];
    if (kind === 'delay') for (const { proxy } of concerned) proxy.delayMs = ms;
    if (kind === 'clock') for (const { clock } of concerned) clock.offset += ms;
    if (kind === 'end' && one !== undefined) await this.replace(one);
    if (kind === 'flush') await this.flush();
    if (kind === 'stall') {
      this.server.freeze();
      await this.after(ms);
      this.server.thaw();
    }
    if (kind === 'cut') {
      for (const { proxy } of concerned) proxy.cut();
      await this.after(ms);
      for (const { proxy } of concerned) proxy.mend();
    }
    if (kind === 'kill' || kind === 'outage') {
      const { port } = this.server;
      await this.server.kill();
      for (const step of kind === 'outage' ? OUTAGE_STEPS_MS : []) {
        await this.after(ms / 2);
        this.ahead += step;
      }
      await this.after(ms);
      this.server = await PrivateRedis.start(port);
    }
  }

  private async flush(): Promise<void> {
    const client = new Redis(this.server.url);
    client.on('error', () => undefined);
    await client.flushall().catch(() => undefined);
    client.disconnect();
  }

  /** As a killed process: its connections end, its responses reach nobody, and another one starts. */
  private async replace(one: Instance): Promise<void> {
    one.proxy.cut();
    one.hasEnded = true;
    const index = this.instances.indexOf(one);
    if (index >= 0) this.instances[index] = await this.start();
  }

  private async start(): Promise<Instance> {
    const proxy = await SlowProxy.before(this.server.port);
    const clock = { offset: 0 };
    const store = new RedisStore(proxy.url, { monotonic: () => this.now(), wall: () => Date.now() + clock.offset });
    this.opened.push({ store, proxy });
    return { store, proxy, clock, hasEnded: false };
  }

  private request(account: number, index: number): void {
    const [instance, own] = [this.instances[index], this.admissions[account]];
    if (instance === undefined || own === undefined) return;
    const budget: Budget = { perMinute: this.history.accounts[account]?.perMinute ?? 0, perDay: PER_DAY };
    const sent = this.now();
    const written = () =>
      Promise.resolve(own.filter(({ resolved }) => resolved < this.now() - WRITTEN_AFTER_MS).length);
    this.pending.push(
      instance.store.admit(`${this.run}-${String(account)}`, budget, written).then(({ admitted }) => {
        if (admitted && !instance.hasEnded) own.push({ sent, resolved: this.now() });
      }),
    );
  }

  private now(): number {
    return performance.now() + this.ahead;
  }

  private after(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }
}

/**
 * Plays a history. Returns the accounts that got more than their limit within a minute, or a quarter more where Redis
 * was absent, and for each loss of its memory. An admission happened between its sending and its response, so only those count that lie
 * in one minute with both.
 */
export async function excessOf(history: History): Promise<readonly Excess[]> {
  const run = new HistoryRun(history);
  try {
    await run.play();
  } finally {
    await run.end();
  }
  const quarters = Number(history.faults.some(isAbsence)) + history.faults.filter(losesMemory).length;
  // An instance that starts meanwhile is not known to the others.
  const isLong = history.faults.some(({ kind }) => kind === 'outage');
  const strangers = isLong ? history.faults.filter(({ kind }) => kind === 'end').length : 0;
  return history.accounts.flatMap(({ perMinute }, account) => {
    const allowed = perMinute + quarters * Math.floor(perMinute / 4) + strangers * Math.floor(perMinute / 8);
    const admitted = mostInAMinute(run.admissions[account] ?? []);
    return admitted > allowed ? [{ account, perMinute, admitted, allowed }] : [];
  });
}

export function mostInAMinute(admissions: readonly Admission[]): number {
  const counts = admissions.map(
    ({ sent: from }) => admissions.filter(({ sent, resolved }) => sent >= from && resolved <= from + MINUTE_MS).length,
  );
  return Math.max(0, ...counts);
}
