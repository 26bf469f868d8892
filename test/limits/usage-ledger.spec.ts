import type { DataSource } from 'typeorm';
import { Access } from '../../src/access/access.js';
import { Peppers } from '../../src/access/peppers.js';
import { UsageLedger } from '../../src/limits/usage-ledger.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { TEST_PEPPER } from '../support/server.js';

const TODAY = '2026-03-01';
const TOMORROW = '2026-03-02';

describe('the usage ledger', () => {
  let database: TestDatabase;
  let source: DataSource;
  let ids: string[];

  beforeAll(async () => {
    database = await createTestDatabase('empty');
    source = await database.open('api');
    const peppers = new Peppers([{ id: 'test', value: TEST_PEPPER }]);
    const access = new Access(source, peppers, () => new Date());
    const made = Array.from({ length: 50 }, (_, index) =>
      access.createAccount({
        email: `ledger-${String(index)}@test.example`,
        plan: 'pro',
        signedUpAt: new Date(0),
      }),
    );
    ids = (await Promise.all(made)).map(({ id }) => id);
  });
  afterAll(() => database.drop());

  const failures: unknown[] = [];
  const open = (from = source): UsageLedger => new UsageLedger(from, 60_000, (error) => failures.push(error));
  const counted = async (ledger: UsageLedger, id: string, day: string): Promise<number> =>
    (await ledger.countedOn(id, day)).used;
  const all = (ledger: UsageLedger, day: string): Promise<number[]> =>
    Promise.all(ids.map((id) => counted(ledger, id, day)));

  it('tells each of many accounts that ask at once its own count, written or on its way', async () => {
    const ledger = open();
    const used = ids.map((_, index) => index % 7);
    ids.forEach((id, index) => {
      for (let count = 0; count < (used[index] ?? 0); count += 1) ledger.count(id, TODAY);
    });
    expect(await all(ledger, TODAY)).toEqual(used);
    await ledger.flush();
    expect(await all(ledger, TODAY)).toEqual(used);
    for (const id of ids) ledger.count(id, TODAY);
    expect(await all(ledger, TODAY)).toEqual(used.map((count) => count + 1));
    expect(await all(ledger, TOMORROW)).toEqual(used.map(() => 0));
    await ledger.stop();
    expect(await all(open(), TODAY)).toEqual(used.map((count) => count + 1));
  });

  it('counts nothing twice while it writes', async () => {
    const ledger = open();
    const [id = ''] = ids;
    const before = await counted(ledger, id, TODAY);
    const heard: number[] = [];
    for (let count = 1; count <= 20; count += 1) {
      ledger.count(id, TODAY);
      const writing = ledger.flush();
      heard.push(await counted(ledger, id, TODAY));
      await writing;
    }
    expect(heard).toEqual(heard.map((_, index) => before + index + 1));
    expect(failures).toEqual([]);
  });

  it('says what is written once it is, and not when it could not be', async () => {
    const told: string[] = [];
    const onTaken = () => {
      told.push('taken');
      return () => told.push('written');
    };
    const [id = ''] = ids;
    const ledger = new UsageLedger(source, 60_000, () => told.push('failed'), onTaken);
    await ledger.flush();
    expect(told).toEqual([]);
    ledger.count(id, TODAY);
    const writing = ledger.flush();
    const again = ledger.flush();
    await Promise.all([writing, again]);
    expect(told).toEqual(['taken', 'written']);
    const closed = await database.open('api');
    await closed.destroy();
    const failing = new UsageLedger(closed, 60_000, () => told.push('failed'), onTaken);
    failing.count(id, TODAY);
    await failing.flush();
    expect(told.slice(2)).toEqual(['taken', 'failed']);
    expect(failing.waiting).toBe(1);
  });

  it('tells all that ask when the database does not answer, and knows again when it does', async () => {
    const closed = await database.open('api');
    await closed.destroy();
    const ledger = open(closed);
    const answers = await Promise.allSettled(ids.map((id) => ledger.countedOn(id, TOMORROW)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['rejected']));
    await closed.initialize();
    expect(await all(ledger, TOMORROW)).toEqual(ids.map(() => 0));
    await closed.destroy();
  });
});
