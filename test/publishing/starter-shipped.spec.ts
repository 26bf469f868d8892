import { getEncoding } from 'js-tiktoken';
import { join } from 'node:path';
import { LOCALES } from '../../src/domain/locale/locale.js';
import { projectedChange } from '../../src/assistants/projections/change-projection.js';
import { refreshSignals } from '../../src/publish/read-models/signals/refresh-signals.js';
import { AFFECTED_COLUMNS, createAffectedChanges } from '../../src/publish/publication/affected-changes.js';
import type { ImportReport } from '../../src/publish/publication/import-report.js';
import { publishExclusively } from '../../src/publish/publication/publishing-transaction.js';
import { loadStarter } from '../../src/publish/starter/load-starter.js';
import type { Change } from '../../src/serve/resources/changes/change.schema.js';
import type { Template } from '../support/database.js';
import { exhaustively, IS_EXHAUSTIVE } from '../support/exhaustive.js';
import { startTestServer } from '../support/server.js';
import type { Localized } from '../../src/domain/locale/locale.js';
import { brokenIn, STORED_TEXTS } from '../support/text-rules.js';
import { oneRow, openScratchDatabase, type ScratchDatabase } from './scratch-database.js';

jest.setTimeout(400_000);

const itExhaustively = IS_EXHAUSTIVE ? it : it.skip;
/** Far fewer than either set has. */
const MANY = exhaustively(1_000, 50);

/**
 * Loading the set takes half a minute, so this suite contains every test of it. Without it, the suite examines the template
 * that has content for every route.
 */
describe(exhaustively('The shipped starter set', 'A little of everything'), () => {
  let scratch: ScratchDatabase;
  let reports: ImportReport[];
  beforeAll(async () => {
    scratch = await openScratchDatabase(exhaustively<Template>('empty', 'full'));
    if (!IS_EXHAUSTIVE) return;
    reports = await loadStarter(
      scratch.publisher,
      join(__dirname, '../../data/starter'),
      () => new Date('2026-11-01T00:00:00Z'),
    );
  });
  afterAll(() => scratch.close());

  itExhaustively(
    'contains at least twenty economies, twelve indicators and ten years, with every kind of change that figures have',
    async () => {
      expect(reports.flatMap(({ unnamed, leftOut }) => [...unnamed, ...leftOut])).toEqual([]);
      expect(new Set(reports.map(({ outcome }) => outcome))).toEqual(new Set(['published']));
      const held = await oneRow(
        scratch.sql<{ regions: number; indicators: number; years: number }>(
          `SELECT count(DISTINCT region) AS regions, count(DISTINCT indicator) AS indicators,
                count(DISTINCT period) AS years
         FROM series s JOIN observations o ON o.series_id = s.id`,
        ),
      );
      expect(held.regions).toBeGreaterThanOrEqual(20);
      expect(held.indicators).toBeGreaterThanOrEqual(12);
      expect(held.years).toBeGreaterThanOrEqual(10);
      const kinds = await scratch.sql('SELECT DISTINCT kind FROM changes ORDER BY 1');
      const all = ['decision', 'move', 'release', 'revision'];
      expect(kinds).toEqual(all.map((kind) => ({ kind })));
    },
  );

  itExhaustively('contains no figure that its unit makes impossible', () => {
    const found = reports.flatMap(({ findings }) => findings).filter(({ check }) => check === 'bounds');
    expect(found).toEqual([]);
  });

  it('contains no text that breaks the style sheet', async () => {
    const texts = await scratch.sql<{ text: Localized }>(STORED_TEXTS);
    expect(texts.length).toBeGreaterThan(MANY);
    expect(brokenIn(texts.map(({ text }) => text))).toEqual([]);
  });

  const signals = () =>
    scratch.sql<{ rule: string; title: Record<string, string>; summary: Record<string, string>; status: string }>(
      `SELECT id, rule, subject, starts, title, summary, stage, status, first_seen_on, last_seen_on, evidence_total,
              evidence_independent, evidence_levels,
              ARRAY(SELECT position::integer FROM signal_changes l WHERE l.signal = g.id ORDER BY 1) AS changes,
              ARRAY(SELECT topic || rank FROM signal_topics t WHERE t.signal = g.id ORDER BY 1) AS topics
       FROM signals g ORDER BY rule, subject, starts`,
    );

  itExhaustively('contains few signals, from several rules', async () => {
    const found = await signals();
    const [changes] = await scratch.sql<{ count: number }>('SELECT count(*) FROM changes');
    expect(new Set(found.map(({ rule }) => rule))).toEqual(
      new Set(['persistent_move', 'revision_cluster', 'streak', 'turn']),
    );
    expect(found.length).toBeLessThan((changes?.count ?? 0) / 8);
  });

  itExhaustively.each(LOCALES)(
    'costs an assistant at most 270 tokens of structure per change in %s',
    async (locale) => {
      const service = await startTestServer({ database: scratch.database });
      const encoding = getEncoding('o200k_base');
      const costs: number[] = [];
      let next = `/api/v1/changes?limit=100&locale=${locale}`;
      while (next !== '') {
        const { data, meta } = (await service.get<Change[]>(next)).body;
        costs.push(...data.map((one) => encoding.encode(JSON.stringify(projectedChange(one))).length));
        const cursor = meta.page?.nextCursor ?? null;
        next = cursor === null ? '' : `/api/v1/changes?limit=100&locale=${locale}&cursor=${cursor}`;
      }
      await service.close();
      expect(costs.length).toBeGreaterThan(MANY);
      expect(Math.max(...costs)).toBeLessThanOrEqual(270);
    },
  );

  it('contains the signals that one evaluation of all its changes and figures finds', async () => {
    const kept = await signals();
    await publishExclusively(
      scratch.publisher,
      () => undefined,
      async (client) => {
        const { rows } = await client.query<{ dataVersion: number; beganAt: Date }>(
          'SELECT data_version AS "dataVersion", began_at AS "beganAt" FROM publications ORDER BY data_version DESC LIMIT 1',
        );
        await client.query('DELETE FROM signals');
        await createAffectedChanges(client);
        await client.query(
          `INSERT INTO affected_changes SELECT ${AFFECTED_COLUMNS}, 'made' FROM changes c WHERE c.status <> 'withdrawn'`,
        );
        const [publication] = rows;
        if (publication === undefined) throw new Error('nothing is published');
        await refreshSignals(client, publication);
        return { keep: true, result: null };
      },
    );
    expect(await signals()).toEqual(kept);
  });
});
