// runs: in full only
import { withdrawChange } from '../../src/publish/versions/withdraw-change.js';
import { withholdSource } from '../../src/publish/versions/withhold-source.js';
import { NOW, usePublishing } from './publishing.js';

const tide = usePublishing();

interface Day {
  readonly region: string;
  readonly coverage: string;
  readonly day: string;
  readonly importance: number;
  readonly changes: number;
  readonly top: readonly number[];
}

const held = () =>
  tide.sql<Day>(
    `SELECT region, coverage, day, importance, changes, top::integer[] FROM heat_days ORDER BY region, coverage COLLATE "C", day`,
  );

/** The same numbers, computed differently: from all changes, one at a time. */
async function recounted(): Promise<Day[]> {
  const changes = await tide.sql<{
    position: number;
    day: string;
    importance: number;
    regions: string[];
    coverage: string[];
  }>(
    `SELECT position, importance, occurred_at::date AS day,
            ARRAY(SELECT region FROM change_regions x WHERE x.position = c.position) AS regions,
            ARRAY(SELECT coverage FROM change_coverage x WHERE x.position = c.position) AS coverage
     FROM changes c WHERE status <> 'withdrawn' ORDER BY importance DESC, position DESC`,
  );
  const days = new Map<string, { importance: number; changes: number; top: number[] }>();
  for (const { position, day, importance, regions, coverage } of changes) {
    for (const region of regions) {
      for (const domain of ['', ...coverage]) {
        const key = [region, domain, day].join('\t');
        const sum = days.get(key) ?? { importance: 0, changes: 0, top: [] };
        const counts = importance >= 20;
        days.set(key, {
          importance: sum.importance + (counts ? importance : 0),
          changes: sum.changes + Number(counts),
          top: [...sum.top, ...(counts ? [position] : [])].slice(0, 3),
        });
      }
    }
  }
  return [...days.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, sum]) => {
      const [region = '', coverage = '', day = ''] = key.split('\t');
      return { region, coverage, day, ...sum };
    });
}

describe('The days of country heat', () => {
  beforeEach(async () => {
    const figures = (last: string) => ({
      'gdp-growth JP': { '2021': '1', '2022': '2', '2023': '3', '2024': last },
      'unemployment-rate JP': { '2023': '3', '2024': last },
      'gdp-growth DE': { '2023': '30', '2024': last },
    });
    await tide.publish('2026-01-10', figures('10'));
    await tide.publish('2026-02-10', figures('20'));
    await tide.publish('2026-03-10', {
      'gdp-growth JP': { '2021': '9', '2022': '9', '2023': '9', '2024': '9', '2025': '9' },
    });
  });

  it('equal a count of all changes of importance 20 and above, each once in the total however many domains it has', async () => {
    const days = await held();
    expect(days).toEqual(await recounted());
    expect(days.map(({ region, coverage, day, changes }) => [region, coverage, day, changes])).toEqual([
      ['DE', '', '2026-02-10', 1],
      ['DE', 'growth', '2026-02-10', 1],
      ['JP', '', '2026-02-10', 2],
      ['JP', '', '2026-03-10', 3],
      ['JP', 'growth', '2026-02-10', 1],
      ['JP', 'growth', '2026-03-10', 3],
      ['JP', 'labour', '2026-02-10', 1],
    ]);
    expect(days.find(({ changes }) => changes === 3)?.top).toHaveLength(3);
  });

  it('follow a withdrawal, a replaced vintage and a withheld source', async () => {
    const [change] = await tide.sql<{ id: string }>(`SELECT id FROM changes WHERE period = '2025'`);
    await withdrawChange(tide.publisher(), change?.id ?? '', 'misprint', () => NOW);
    expect(await held()).toEqual(await recounted());
    await tide.publish('2026-02-10', { 'gdp-growth DE': { '2023': '30', '2024': '10' } }, { replace: true });
    expect(await held()).toEqual(await recounted());
    expect((await held()).map(({ region }) => region)).not.toContain('DE');
    const [origin] = await tide.sql<{ id: string }>(
      `SELECT origins[1] AS id FROM series WHERE indicator = 'unemployment-rate'`,
    );
    await withholdSource(tide.publisher(), origin?.id ?? '', () => NOW);
    expect(await held()).toEqual(await recounted());
    expect((await held()).map(({ coverage }) => coverage)).not.toContain('labour');
    await tide.sql(`UPDATE sources SET withheld = (id = 'bis')`);
  });
});
