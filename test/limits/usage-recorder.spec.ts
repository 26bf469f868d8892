import type { DataSource } from 'typeorm';
import { Access } from '../../src/serve/access/accounts/access.js';
import { Peppers } from '../../src/serve/access/keys/peppers.js';
import type { CircuitBreakerPool } from '../../src/store/circuit-breaker-pool.js';
import { poolOf } from '../../src/store/snapshots.js';
import { UsageRecorder } from '../../src/serve/limits/usage-recorder.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { TEST_PEPPER } from '../support/server.js';
import { until } from '../support/until.js';

const TODAY = '2026-03-01';
const TOMORROW = '2026-03-02';

describe('The usage recorder', () => {
  let database: TestDatabase;
  let source: DataSource;
  let ids: string[];

  beforeAll(async () => {
    database = await createTestDatabase('empty');
    source = await database.open('api');
    const peppers = new Peppers([{ id: 'test', value: TEST_PEPPER }]);
    const access = new Access(await database.open('account'), peppers, () => new Date());
    const made = Array.from({ length: 50 }, (_, index) =>
      access.createAccount({ email: `recorder-${String(index)}@test.example`, plan: 'pro', signedUpAt: new Date(0) }),
    );
    ids = (await Promise.all(made)).map(({ id }) => id);
  });
  afterAll(() => database.drop());

  const failures: unknown[] = [];
  const open = (from = source): UsageRecorder => new UsageRecorder(from, 60_000, (error) => failures.push(error));
  const counted = (recorder: UsageRecorder, id: string, day: string): Promise<number> => recorder.read(id, day);
  const all = (recorder: UsageRecorder, day: string): Promise<number[]> =>
    Promise.all(ids.map((id) => counted(recorder, id, day)));

  it('returns each account’s own count to many concurrent readers, written or pending', async () => {
    const recorder = open();
    const used = ids.map((_, index) => index % 7);
    ids.forEach((id, index) => {
      for (let count = 0; count < (used[index] ?? 0); count += 1) recorder.count(id, TODAY);
    });
    expect(await all(recorder, TODAY)).toEqual(used);
    await recorder.flush();
    expect(await all(recorder, TODAY)).toEqual(used);
    for (const id of ids) recorder.count(id, TODAY);
    expect(await all(recorder, TODAY)).toEqual(used.map((count) => count + 1));
    expect(await all(recorder, TOMORROW)).toEqual(used.map(() => 0));
    await recorder.stop();
    expect(await all(open(), TODAY)).toEqual(used.map((count) => count + 1));
  });

  it('counts nothing twice during a write', async () => {
    const recorder = open();
    const [id = ''] = ids;
    const before = await counted(recorder, id, TODAY);
    const heard: number[] = [];
    for (let count = 1; count <= 20; count += 1) {
      recorder.count(id, TODAY);
      const writing = recorder.flush();
      heard.push(await counted(recorder, id, TODAY));
      await writing;
    }
    expect(heard).toEqual(heard.map((_, index) => before + index + 1));
    expect(failures).toEqual([]);
  });

  it('reports each written day with its pending counts, and keeps counts that it cannot write', async () => {
    const reported: unknown[] = [];
    const [, id = ''] = ids;
    const recorder = open();
    recorder.afterWriting((days) => reported.push(...days));
    await recorder.flush();
    expect(reported).toEqual([]);
    const before = await counted(recorder, id, TODAY);
    recorder.count(id, TODAY);
    const writing = recorder.flush();
    const again = recorder.flush();
    await Promise.all([writing, again]);
    expect(reported).toEqual([{ accountId: id, day: TODAY, used: before + 1 }]);
    const closed = await database.open('api');
    await closed.destroy();
    const lost: unknown[] = [];
    const failing = new UsageRecorder(closed, 60_000, (error) => lost.push(error));
    failing.count(id, TODAY);
    await failing.flush();
    expect(lost).toHaveLength(1);
    expect(failing.waiting).toBe(1);
  });

  it('rejects all readers while the database does not respond, and recovers with it', async () => {
    const closed = await database.open('api');
    await closed.destroy();
    const recorder = open(closed);
    const answers = await Promise.allSettled(ids.map((id) => recorder.read(id, TOMORROW)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['rejected']));
    await closed.initialize();
    expect(await all(recorder, TOMORROW)).toEqual(ids.map(() => 0));
    await closed.destroy();
  });

  describe('with a connection that breaks during a statement', () => {
    const DAY = '2026-03-05';
    let owner: DataSource;
    let lost: unknown[];
    let id: string;
    let taken = 0;

    beforeAll(async () => {
      owner = await database.open('admin');
    });
    beforeEach(async () => {
      id = ids[taken] ?? '';
      taken += 1;
      lost = [];
      await owner.query('INSERT INTO daily_usage VALUES ($1, $2, 100)', [id, DAY]);
    });

    const written = async (): Promise<number | undefined> =>
      (
        await owner.query<{ admitted: number }[]>(
          'SELECT admitted FROM daily_usage WHERE account_id = $1 AND day = $2',
          [id, DAY],
        )
      )[0]?.admitted;

    /** The number of sessions whose recorder statement waits for a row lock. */
    const held = async (): Promise<number> =>
      (
        await owner.query<object[]>(
          `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
           AND wait_event_type = 'Lock' AND query LIKE '%record_usage%'`,
        )
      ).length;

    const count = (recorder: UsageRecorder, times: number): void => {
      for (let each = 0; each < times; each += 1) recorder.count(id, DAY);
    };

    async function cuttable(): Promise<{ recorder: UsageRecorder; pool: CircuitBreakerPool }> {
      const from = await database.open('api');
      const recorder = new UsageRecorder(from, 60_000, (error) => lost.push(error));
      return { recorder, pool: poolOf(from) as CircuitBreakerPool };
    }

    /** Sends a batch and cuts the connection in the middle, before the server may continue. */
    async function cutOff(
      { recorder, pool }: { recorder: UsageRecorder; pool: CircuitBreakerPool },
      meanwhile: () => Promise<unknown> = () => Promise.resolve(),
    ): Promise<void> {
      const blocker = owner.createQueryRunner();
      await blocker.startTransaction();
      await blocker.query('SELECT 1 FROM daily_usage WHERE account_id = $1 AND day = $2 FOR UPDATE', [id, DAY]);
      const before = await held();
      const flushed = recorder.flush();
      await until(5_000, 'the statement to be sent', async () => (await held()) > before);
      pool.trip();
      await flushed;
      pool.reset();
      await meanwhile();
      await blocker.commitTransaction();
      await blocker.release();
    }

    const settled = () => until(5_000, 'the server', async () => (await held()) === 0);

    it('writes its batch once', async () => {
      const cut = await cuttable();
      count(cut.recorder, 7);
      await cutOff(cut);
      await settled();
      expect(lost).toHaveLength(1);
      await until(5_000, 'the commit', async () => (await written()) === 107);
      await cut.recorder.flush();
      expect(await written()).toBe(107);
      expect(cut.recorder.waiting).toBe(0);
    });

    it('reads a day without counting an unconfirmed batch twice', async () => {
      const cut = await cuttable();
      count(cut.recorder, 7);
      await cutOff(cut, async () => {
        count(cut.recorder, 2);
        expect(await counted(cut.recorder, id, DAY)).toBe(109);
      });
      await until(5_000, 'the commit', async () => (await written()) === 107);
      expect(await counted(cut.recorder, id, DAY)).toBe(109);
      await cut.recorder.stop();
      expect(await written()).toBe(109);
    });

    it('writes a batch once after two broken connections, with new requests meanwhile', async () => {
      const cut = await cuttable();
      count(cut.recorder, 7);
      await cutOff(cut, () => cutOffAgain(cut));
      await settled();
      await cut.recorder.flush();
      expect(await written()).toBe(110);
      expect(lost).toHaveLength(2);
    });

    /** The repeated statement waits for the first one. */
    async function cutOffAgain({ recorder, pool }: Awaited<ReturnType<typeof cuttable>>): Promise<void> {
      count(recorder, 3);
      const flushed = recorder.flush();
      await until(5_000, 'the statement to be sent again', async () => (await held()) === 2);
      pool.trip();
      await flushed;
      pool.reset();
    }

    it('waits for the first statement when it repeats the batch, and adds nothing', async () => {
      const cut = await cuttable();
      count(cut.recorder, 7);
      let again: Promise<void> | undefined;
      await cutOff(cut, async () => {
        count(cut.recorder, 3);
        again = cut.recorder.flush();
        await until(5_000, 'the statement to be sent again', async () => (await held()) === 2);
      });
      await again;
      expect(await written()).toBe(110);
    });

    it('writes the batch if the server had not', async () => {
      const cut = await cuttable();
      await cut.recorder.flush();
      count(cut.recorder, 7);
      await cutOff(cut, () =>
        owner.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
          AND wait_event_type = 'Lock' AND query LIKE '%record_usage%'`),
      );
      await settled();
      expect(await written()).toBe(100);
      expect(await counted(cut.recorder, id, DAY)).toBe(107);
      await cut.recorder.flush();
      expect(await written()).toBe(107);
    });

    it('numbers its batches independently of another writer', async () => {
      const [one, two] = [await cuttable(), await cuttable()];
      count(one.recorder, 1);
      await one.recorder.flush();
      count(one.recorder, 7);
      count(two.recorder, 5);
      await cutOff(one, () => cutOffAgain(two));
      await settled();
      await Promise.all([one.recorder.flush(), two.recorder.flush()]);
      expect(await written()).toBe(116);
      expect(await counted(open(), id, DAY)).toBe(116);
    });
  });

  it('deletes old writers at its start', async () => {
    const writers = async (): Promise<number> =>
      (await source.query<object[]>(`SELECT 1 FROM usage_writers WHERE written_at < now() - interval '6 days'`)).length;
    const [id = ''] = ids;
    const idle = open();
    idle.count(id, TOMORROW);
    await idle.flush();
    await source.query(`UPDATE usage_writers SET written_at = now() - interval '8 days'`);
    await source.query(
      `INSERT INTO usage_writers VALUES (gen_random_uuid(), 1, now() - interval '6 days' - interval '1 hour')`,
    );
    const recorder = open();
    recorder.count(id, TOMORROW);
    await recorder.flush();
    expect(await writers()).toBe(1);
    idle.count(id, TOMORROW);
    await idle.flush();
    expect(await counted(open(), id, TOMORROW)).toBe(3);
    expect(failures).toEqual([]);
  });
});
