import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { Debts } from '../../src/limits/debts.js';
import { LocalWindows } from '../../src/limits/local-windows.js';
import { QuestionWriter } from '../../src/limits/question-writer.js';
import { keysOf, readAnswer, scriptArguments } from '../../src/limits/redis-question.js';
import { ADMIT_SCRIPT } from '../../src/limits/redis-script.js';
import { RedisWindowStore } from '../../src/limits/redis-store.js';
import { NONE_YET, SYSTEM_CLOCK } from '../../src/limits/window-store.js';
import { DAY_MS } from '../../src/limits/window.js';
import { WrittenMarks } from '../../src/limits/written-marks.js';
import { SlowProxy } from '../faults/cluster/slow-proxy.mjs';
import { until } from '../support/until.js';
import { PrivateRedis, describeIf, redisInstalled } from './redis-servers.js';
import type { Seed } from '../../src/limits/question-writer.js';
import type { WindowClock } from '../../src/limits/window-store.js';

const BUDGET = { perMinute: 60, perDay: 100_000 };
const MINUTE = 60_000;

/** Stands, but when told to go on, towards the end of the day that Redis is in. */
class HandClock implements WindowClock {
  protected passed = 0;
  private readonly evening = (Math.floor(Date.now() / DAY_MS) + 0.99) * DAY_MS;

  pass(ms: number): void {
    this.passed += ms;
  }

  monotonic(): number {
    return this.passed;
  }

  wall(): number {
    return this.evening;
  }
}

/** Goes on by itself, too. */
class MovedClock extends HandClock {
  override monotonic(): number {
    return performance.now() + this.passed;
  }
}

describeIf(redisInstalled, 'redis-server is not installed')('what was admitted alone for long', () => {
  let server: PrivateRedis;
  let redis: Redis;
  let subject: string;
  let clock: HandClock;
  const opened: { close(): unknown }[] = [];

  beforeAll(async () => {
    server = await PrivateRedis.start();
    redis = new Redis(server.url);
  }, 20_000);
  beforeEach(() => {
    subject = randomUUID();
    clock = new HandClock();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });
  afterAll(async () => {
    redis.disconnect();
    await server.kill();
  });

  const countOfDay = async (): Promise<number> => Number(await redis.hget(keysOf(subject)[1], 'n'));

  /** For all instances, and for Redis by changing what it holds. */
  async function pass(ms: number): Promise<void> {
    clock.pass(ms);
    const [minute, day] = keysOf(subject);
    if ((await redis.exists(day)) === 1) await redis.hincrby(day, 's', -ms);
    for (const member of await redis.zrange(minute, 0, -1)) await redis.zincrby(minute, -ms, member);
  }

  /** An instance that Redis hears from starts the day with what the database holds. */
  async function startDay(used: number): Promise<void> {
    const day = Math.floor(clock.wall() / DAY_MS);
    const nothing = { hits: [], nonces: [], floor: null, batch: null, seededAt: 0 };
    const question = { ...nothing, subject, budget: BUDGET, seed: { day, used, age: 0 } };
    await redis.eval(ADMIT_SCRIPT, 2, ...keysOf(subject), ...scriptArguments(question, 0));
    await pass(1);
  }

  /** An instance that is cut off from Redis, but for what it is told to ask. */
  class Alone {
    private readonly written = new WrittenMarks();
    private readonly local = new LocalWindows(clock, 'fallback');
    private readonly debts = new Debts((at) => this.local.dayOf(at));
    private readonly questions = new QuestionWriter(this.local, this.debts, this.written);
    private lastId = 0;

    /** A few requests at the beginning of each minute, which the ledger writes within half a second. */
    async admitForMinutes(minutes: number, each: number): Promise<void> {
      for (let minute = 0; minute < minutes; minute += 1) {
        await this.admit(each);
        await pass(500);
        this.write();
        await pass(MINUTE - 500);
      }
    }

    async admit(count: number): Promise<void> {
      for (let each = 0; each < count; each += 1) {
        this.lastId += 1;
        const id = this.lastId;
        expect(await this.local.admit(subject, BUDGET, NONE_YET, id)).toMatchObject({ admitted: true });
        this.debts.add({ subject, budget: BUDGET, seed: NONE_YET }, { at: this.local.now(), id });
      }
    }

    /** As the ledger does twice a second. */
    write(): void {
      this.written.add(this.local.now(), this.local.now());
    }

    /** Redis counts it, and whether the answer comes back is said by who asks. */
    async handOver({ isHeard = true, seed = null as Seed | null } = {}): Promise<string> {
      const owed = this.questions.owed(subject);
      const bare = this.questions.write(subject, BUDGET, []);
      const asked = seed === null ? bare : this.questions.withAllKnown(bare, seed);
      const given = scriptArguments(this.questions.withDebts(asked, owed), 0);
      const reply = await redis.eval(ADMIT_SCRIPT, 2, ...keysOf(subject), ...given);
      const answer = readAnswer(reply as unknown[]);
      if (isHeard && answer.status === 'done' && owed !== null) this.debts.settle(subject, owed);
      return answer.status;
    }

    seed(used: number): Seed {
      const now = this.local.now();
      return { day: Math.floor(clock.wall() / DAY_MS), used, heldAt: now, readAt: now };
    }

    get owes(): number {
      return this.debts.size;
    }
  }

  it('goes over but for what the database had of it as others started the day', async () => {
    const alone = new Alone();
    await alone.admitForMinutes(6, 10);
    await startDay(60);
    await alone.admitForMinutes(55, 10);
    await pass(MINUTE);
    expect(await alone.handOver()).toBe('done');
    expect(await countOfDay()).toBe(610);
    expect(alone.owes).toBe(0);
  });

  it('counts twice what came before others started the day in the same minute, and no more', async () => {
    const alone = new Alone();
    await alone.admitForMinutes(5, 10);
    await alone.admit(3);
    await pass(500);
    alone.write();
    await startDay(53);
    await alone.admitForMinutes(5, 10);
    await pass(MINUTE);
    await alone.handOver();
    expect(await countOfDay()).toBe(103 + 3);
  });

  it('goes over whole where none of it was written then', async () => {
    const alone = new Alone();
    for (let minute = 0; minute < 10; minute += 1) {
      await alone.admit(10);
      await pass(MINUTE);
    }
    await startDay(5);
    await pass(MINUTE);
    alone.write();
    await alone.handOver();
    expect(await countOfDay()).toBe(105);
  });

  it('counts once however often it goes over, of each of several instances', async () => {
    const [one, two] = [new Alone(), new Alone()];
    for (const alone of [one, two]) await alone.admitForMinutes(3, 10);
    await startDay(60);
    for (const alone of [one, two]) await alone.admitForMinutes(7, 10);
    await pass(MINUTE);
    for (const alone of [one, two, one, two]) await alone.handOver({ isHeard: false });
    expect(await countOfDay()).toBe(200);
    await one.admitForMinutes(2, 10);
    await pass(MINUTE);
    for (const alone of [one, one, two]) await alone.handOver({ isHeard: false });
    expect(await countOfDay()).toBe(220);
    for (const alone of [one, two]) await alone.handOver();
    expect(await countOfDay()).toBe(220);
    expect(one.owes + two.owes).toBe(0);
  });

  it('counts once when it starts the day itself, written or not, and does not hear of it', async () => {
    const alone = new Alone();
    await alone.admitForMinutes(5, 10);
    await alone.admit(10);
    await pass(2 * MINUTE);
    await alone.handOver({ isHeard: false, seed: alone.seed(60) });
    expect(await countOfDay()).toBe(60);
    await pass(MINUTE);
    alone.write();
    await alone.admitForMinutes(2, 10);
    await pass(MINUTE);
    await alone.handOver();
    expect(await countOfDay()).toBe(80);
  });

  it('counts once when Redis forgets the day and others start it anew', async () => {
    const alone = new Alone();
    await startDay(0);
    await alone.admitForMinutes(5, 10);
    await pass(MINUTE);
    await alone.handOver({ isHeard: false });
    expect(await countOfDay()).toBe(50);
    await redis.del(...keysOf(subject));
    await startDay(50);
    await alone.admitForMinutes(5, 10);
    await pass(MINUTE);
    await alone.handOver();
    expect(await countOfDay()).toBe(100);
  });

  it('goes over after most of a day, too', async () => {
    const alone = new Alone();
    await alone.admitForMinutes(100, 1);
    await startDay(100);
    await alone.admitForMinutes(1_300, 1);
    await pass(MINUTE);
    await alone.handOver();
    expect(await countOfDay()).toBe(1_400);
  });

  it('is told by the store itself, when it finds Redis again', async () => {
    const proxy = await SlowProxy.before(server.port);
    proxy.cut();
    const moved = new MovedClock();
    const cutOff = new RedisWindowStore(proxy.url, moved, 500);
    const other = new RedisWindowStore(server.url, SYSTEM_CLOCK, 500);
    opened.push(proxy, cutOff, other);
    expect(await other.ready(10_000)).toBe(true);
    let inDatabase = 0;
    const admitAMinute = async (count: number): Promise<void> => {
      for (let each = 0; each < count; each += 1) {
        const seed = () => Promise.resolve({ used: inDatabase, ageMs: 0 });
        expect(await cutOff.admit(subject, BUDGET, seed)).toMatchObject({
          admitted: true,
          via: 'fallback',
        });
      }
      moved.pass(500);
      const written = cutOff.writing();
      inDatabase += count;
      written();
      moved.pass(MINUTE);
    };
    await admitAMinute(20);
    const startedAt = moved.monotonic();
    for (let minute = 0; minute < 20; minute += 1) await admitAMinute(20);
    const seed = () => Promise.resolve({ used: 20, ageMs: moved.monotonic() - startedAt });
    expect(await other.admit(subject, BUDGET, seed)).toMatchObject({ via: 'redis', dayUsed: 21 });
    proxy.mend();
    await until(10_000, 'the debts', () => Promise.resolve(cutOff.counters.owed === 0));
    expect(await countOfDay()).toBe(421);
  }, 30_000);
});
