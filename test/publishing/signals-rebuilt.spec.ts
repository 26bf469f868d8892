import { join } from 'node:path';
import { digestSignals } from '../../src/publishing/digests/signals/signals.js';
import { createTouched, TOUCHED_COLUMNS } from '../../src/publishing/digests/digests.js';
import { importFiles } from '../../src/publishing/import-files.js';
import { publishAlone } from '../../src/publishing/publishing-transaction.js';
import { starter } from '../../src/publishing/starter/starter.importer.js';
import { openScratchDatabase, type ScratchDatabase } from './scratch-database.js';

jest.setTimeout(180_000);

describe('the signals of the starter figures', () => {
  let scratch: ScratchDatabase;
  beforeAll(async () => {
    scratch = await openScratchDatabase();
    const deliveries = await starter.open([join(__dirname, '../../data/starter')], null);
    await importFiles(scratch.publisher, starter, deliveries, {
      now: () => new Date('2026-11-01T00:00:00Z'),
    });
  });
  afterAll(() => scratch.close());

  const signals = () =>
    scratch.sql<{
      rule: string;
      title: Record<string, string>;
      summary: Record<string, string>;
      status: string;
    }>(
      `SELECT id, rule, subject, starts, title, summary, judged, status, first_seen_on, last_seen_on, evidence_total,
              evidence_independent, evidence_levels,
              ARRAY(SELECT position::integer FROM signal_changes l WHERE l.signal = g.id ORDER BY 1) AS changes,
              ARRAY(SELECT topic || rank FROM signal_topics t WHERE t.signal = g.id ORDER BY 1) AS topics
       FROM signals g ORDER BY rule, subject, starts`,
    );

  it('are few, of several rules', async () => {
    const found = await signals();
    const [changes] = await scratch.sql<{ count: number }>('SELECT count(*) FROM changes');
    expect(new Set(found.map(({ rule }) => rule))).toEqual(
      new Set(['persistent_move', 'revision_cluster', 'streak', 'turn']),
    );
    expect(found.length).toBeLessThan((changes?.count ?? 0) / 10);
  });

  it('are those that a judgement of all changes and figures at once gives', async () => {
    const kept = await signals();
    await publishAlone(
      scratch.publisher,
      () => undefined,
      async (client) => {
        const { rows } = await client.query<{ id: number; publishedAt: Date }>(
          'SELECT id, published_at AS "publishedAt" FROM revisions ORDER BY id DESC LIMIT 1',
        );
        await client.query('DELETE FROM signals');
        await createTouched(client);
        await client.query(
          `INSERT INTO touched SELECT ${TOUCHED_COLUMNS}, 'made' FROM changes c WHERE c.status <> 'withdrawn'`,
        );
        const [revision] = rows;
        if (revision === undefined) throw new Error('no revision');
        await digestSignals(client, revision);
        return { keep: true, result: null };
      },
    );
    expect(await signals()).toEqual(kept);
  });
});
