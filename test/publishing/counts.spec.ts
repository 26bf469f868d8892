import { withdrawChange } from '../../src/publish/versions/withdraw-change.js';
import { growth, NOW, usePublishing } from './publishing.js';

const publishing = usePublishing();

const COUNTED = `
  SELECT slug, changes_7 AS days7, changes_30 AS days30, changes_total AS total, latest_change_at AS latest
  FROM topics WHERE slug = 'gdp'`;

/** The same counts, computed from the changes alone. */
const EXPECTED = `
  SELECT 'gdp' AS slug,
         count(*) FILTER (WHERE c.occurred_at > n.day - interval '7 days') AS days7,
         count(*) FILTER (WHERE c.occurred_at > n.day - interval '30 days') AS days30,
         count(*) AS total, max(c.occurred_at) AS latest
  FROM (SELECT max(day)::timestamptz AS day FROM series_vintages) n
    CROSS JOIN changes c JOIN change_topics t ON t.position = c.position
  WHERE t.topic = 'gdp' AND c.status <> 'withdrawn'`;

describe('The counts of a topic', () => {
  const expectTrue = async (total: number): Promise<void> => {
    const [counted] = await publishing.sql<{ total: number }>(COUNTED);
    expect(counted).toEqual((await publishing.sql(EXPECTED))[0]);
    expect(counted?.total).toBe(total);
  };

  it('follow publications, corrections, withdrawals and returns', async () => {
    await publishing.publish('2026-01-10', growth({ 2022: '1', 2023: '1' }));
    await publishing.publish('2026-06-10', growth({ 2022: '2', 2023: '1', 2024: '3' }));
    await expectTrue(2);
    await publishing.publish('2026-06-20', growth({ 2022: '2', 2023: '5', 2024: '4' }));
    await expectTrue(4);
    await publishing.publish('2026-06-20', growth({ 2022: '2', 2023: '1', 2024: '4.5' }), { replace: true });
    await expectTrue(3);
    await publishing.publish('2026-06-20', growth({ 2022: '2', 2023: '5', 2024: '4' }), { replace: true });
    await expectTrue(4);
    const [newest] = await publishing.sql<{ id: string }>('SELECT id FROM changes ORDER BY position DESC LIMIT 1');
    await withdrawChange(publishing.publisher(), newest?.id ?? '', 'a test', () => NOW);
    await expectTrue(3);
    await publishing.publish('2026-07-30', growth({ 2022: '2', 2023: '5', 2024: '4', 2025: '1' }));
    await expectTrue(4);
  });
});
