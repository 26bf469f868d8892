// runs: in full only
import type { DataSource } from 'typeorm';
import {
  changesStatement,
  type ChangeFilter,
  isChange,
  type PageRow,
} from '../../src/serve/resources/changes/change.rows.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const LIMIT = 7;
const DAY_MS = 86_400_000;

/** Pseudo-random 32-bit numbers; a seed always gives the same ones. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // The low bits repeat after a few numbers.
    yield state >>> 8;
  }
}

describe('The changes of a time window', () => {
  let database: TestDatabase;
  let reader: DataSource;
  let moments: readonly Date[];

  beforeAll(async () => {
    database = await createTestDatabase('full');
    const publisher = await database.open('import');
    reader = await database.open('api');
    // Corrections and withdrawals of old changes, each at a different time.
    await publisher.query(
      `UPDATE changes SET status = 'corrected', updated_at = published_at + position * interval '1 hour'
       WHERE position % 5 = 0 AND status = 'verified'`,
    );
    await publisher.query(
      `UPDATE changes SET status = 'withdrawn', withdrawal_reason = 'test', withdrawn_at = now(), updated_at = now()
       WHERE position % 11 = 0`,
    );
    await publisher.query(
      `INSERT INTO publications (data_version, began_at, published_at, kind, description)
       SELECT (SELECT max(data_version) FROM publications) + row_number() OVER (ORDER BY at), at, at, 'import', 'test'
       FROM (SELECT DISTINCT updated_at AS at FROM changes) c`,
    );
    const rows = await reader.query<{ at: Date }[]>(
      `SELECT DISTINCT occurred_at AS at FROM changes UNION SELECT DISTINCT updated_at FROM changes`,
    );
    moments = rows.map(({ at }) => at);
  });
  afterAll(() => database.drop());

  /** All pages, one after another. */
  async function walk(filter: ChangeFilter): Promise<number[]> {
    const positions: number[] = [];
    for (let below = filter.below; ; below = positions.at(-1)) {
      const { sql, parameters } = changesStatement({ ...filter, below }, LIMIT);
      const rows = (await reader.query<PageRow[]>(sql, parameters)).filter(isChange);
      positions.push(...rows.slice(0, LIMIT).map(({ position }) => position));
      if (rows.length <= LIMIT) return positions;
    }
  }

  /** The same result by checking every change. */
  async function expected(filter: ChangeFilter): Promise<number[]> {
    const { occurredFrom, occurredBefore, publishedFrom, status, kinds, minImportance, regions, topic } = filter;
    const rows = await reader.query<{ position: number }[]>(
      `SELECT position FROM changes c
       WHERE ($1::timestamptz IS NULL OR occurred_at >= $1) AND ($2::timestamptz IS NULL OR occurred_at < $2)
         AND ($3::timestamptz IS NULL OR updated_at >= $3::timestamptz - interval '30 seconds')
         AND CASE WHEN $4::text IS NULL THEN status <> 'withdrawn' ELSE status = $4 END
         AND ($5::text[] IS NULL OR kind = ANY ($5))
         AND ($6::text[] IS NULL OR EXISTS (
           SELECT FROM change_regions x WHERE x.position = c.position AND x.region = ANY ($6)))
         AND ($7::text IS NULL OR EXISTS (SELECT FROM change_topics x WHERE x.position = c.position AND x.topic = $7))
         AND ($8::integer IS NULL OR importance >= $8)
       ORDER BY position DESC`,
      [occurredFrom, occurredBefore, publishedFrom, status, kinds, regions, topic, minImportance],
    );
    return rows.map(({ position }) => position);
  }

  it('equal, page by page, the result of a full scan', async () => {
    const next = numbers(20_261_121);
    const pick = <T>(values: readonly T[]): T => values[next.next().value % values.length] as T;
    const regions = ['JP', 'US', 'DE'];
    let found = 0;
    for (let round = 0; round < 150; round += 1) {
      const from = pick([undefined, pick(moments)]);
      const filter: ChangeFilter = {
        occurredFrom: from,
        occurredBefore: pick([undefined, pick(moments), from && new Date(from.getTime() + 30 * DAY_MS)]),
        publishedFrom: pick([undefined, pick(moments)]),
        status: pick([undefined, undefined, 'corrected', 'withdrawn']),
        kinds: pick([undefined, ['revision'], undefined, ['release', 'revision'], undefined]),
        regions: pick([undefined, [pick(regions)], undefined, regions, undefined]),
        minImportance: pick([undefined, undefined, 40]),
        topic: pick([undefined, undefined, 'inflation']),
      };
      const positions = await walk(filter);
      expect({ filter, positions }).toEqual({ filter, positions: await expected(filter) });
      found += positions.length;
    }
    expect(found).toBeGreaterThan(500);
  });

  it('can be found by words too', async () => {
    const [{ word } = { word: '' }] = await reader.query<{ word: string }[]>(
      `SELECT split_part(lexeme, ':', 2) AS word
       FROM change_words, unnest(words) WHERE lexeme LIKE '%:r=%' GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`,
    );
    const region = word.slice('r='.length);
    for (const at of moments.filter((_, index) => index % 9 === 0)) {
      for (const time of [{ occurredFrom: at }, { occurredBefore: at }, { publishedFrom: at }]) {
        expect(await walk({ ...time, words: `'~:${word}'` })).toEqual(await expected({ ...time, regions: [region] }));
      }
    }
  });

  it('form runs that end at a deleted change', async () => {
    const publisher = await database.open('import');
    const [{ last } = { last: 0 }] = await publisher.query<{ last: number }[]>(
      'SELECT max(position) AS last FROM changes',
    );
    // As after withholding a source: the end of the newest run disappears.
    await publisher.query('DELETE FROM changes WHERE position > $1', [last - 3]);
    await publisher.query(
      `INSERT INTO publications (data_version, published_at, kind, description) SELECT max(data_version) + 1, now(), 'import', 'test' FROM publications`,
    );
    const [{ columns } = { columns: '' }] = await publisher.query<{ columns: string }[]>(
      `SELECT string_agg(attname, ', ') AS columns FROM pg_attribute
       WHERE attrelid = 'changes'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    );
    await publisher.query(
      `INSERT INTO changes (${columns})
       SELECT ${columns} FROM (SELECT (jsonb_populate_record(c, jsonb_build_object('id', 'chg_again',
         'position', c.position + 1, 'data_version', (SELECT max(data_version) FROM publications),
         'occurred_at', now(), 'published_at', now()))).*
       FROM changes c ORDER BY position DESC LIMIT 1) again`,
    );
    const since = { occurredFrom: new Date(Date.now() - DAY_MS) };
    expect(await walk(since)).toEqual(await expected(since));
    expect(await walk({ occurredBefore: new Date() })).toEqual(await expected({ occurredBefore: new Date() }));
  });

  it('form runs: the changes of one publication in the order of their days', async () => {
    const [counts] = await reader.query<{ runs: number; broken: number; overlapping: number }[]>(
      `SELECT (SELECT count(*) FROM change_runs) AS runs,
              (SELECT count(*) FROM (
                 SELECT occurred_at < lag(occurred_at) OVER (PARTITION BY data_version ORDER BY position) AS earlier
                 FROM changes) c WHERE earlier) AS broken,
              (SELECT count(*) FROM change_runs a JOIN change_runs b
                 ON b.data_version > a.data_version AND b.first_position <= a.last_position) AS overlapping`,
    );
    expect(counts).toMatchObject({ broken: 0, overlapping: 0 });
    expect(counts?.runs).toBeGreaterThan(3);
  });
});
