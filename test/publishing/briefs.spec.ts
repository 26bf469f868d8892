import { withdrawChange } from '../../src/publish/versions/withdraw-change.js';
import { withholdSource } from '../../src/publish/versions/withhold-source.js';
import type { Figures } from './deliveries.js';
import { NOW, usePublishing } from './publishing.js';
import { oneRow } from './scratch-database.js';

const { sql, publish, publisher } = usePublishing();

afterEach(() => sql("UPDATE sources SET withheld = (id = 'bis')"));

interface Brief {
  readonly day: string;
  readonly title: { readonly en: string; readonly zh: string };
  readonly summary: { readonly en: string };
  readonly sections: readonly { readonly coverage: string; readonly omitted: number }[];
  readonly items: readonly {
    readonly coverage: string;
    readonly headline: { readonly en: string };
    readonly changes: number;
    readonly members: readonly string[];
  }[];
}

/** The stored content of every brief, except the data version that wrote it. */
const briefs = () =>
  sql<Brief>(`
    SELECT b.day, b.title, b.summary,
      (SELECT jsonb_agg(to_jsonb(s) - 'day' ORDER BY s.coverage) FROM brief_sections s WHERE s.day = b.day) AS sections,
      (SELECT jsonb_agg(to_jsonb(i) - 'day' || jsonb_build_object('members', ARRAY(
           SELECT m.change_id FROM brief_item_changes m WHERE m.day = i.day AND m.rank = i.rank ORDER BY m.ordinal))
         ORDER BY i.rank) FROM brief_items i WHERE i.day = b.day) AS items
    FROM briefs b ORDER BY b.day`);

const headlines = (brief: Brief | undefined): string[] => brief?.items.map(({ headline }) => headline.en) ?? [];

const FIRST: Figures = {
  'gdp-growth JP': { 2023: '1.5', 2024: '0.1' },
  'gdp-growth US': { 2023: '2.9', 2024: '2.8' },
  'unemployment-rate JP': { 2023: '2.6', 2024: '2.5' },
};
const GROWTH: Figures = {
  'gdp-growth JP': { 2023: '1.6', 2024: '0.2', 2025: '1.1' },
  'gdp-growth US': { 2023: '2.7', 2024: '2.6', 2025: '2.2' },
};
const LABOUR: Figures = { 'unemployment-rate JP': { 2023: '2.6', 2024: '2.5', 2025: '2.4' } };

const first = () => publish('2026-01-10', FIRST);

describe('A brief', () => {
  it('exists for each day with changes, but not for a baseline', async () => {
    await first();
    expect(await briefs()).toEqual([]);
    await publish('2026-02-10', { ...GROWTH, ...LABOUR });
    const [brief, ...others] = await briefs();
    expect(others).toEqual([]);
    expect(brief?.day).toBe('2026-02-10');
    expect(brief?.title.en).toMatch(/^10 February 2026: /);
    expect(brief?.title.zh).toMatch(/^2026年2月10日：/);
    expect(brief?.sections).toEqual([
      { coverage: 'growth', omitted: 0 },
      { coverage: 'labour', omitted: 0 },
    ]);
  });

  it('groups similar revisions into one item, most important change first', async () => {
    await first();
    await publish('2026-02-10', GROWTH);
    const [brief] = await briefs();
    expect(headlines(brief)).toEqual([
      'United States: real GDP growth slowed to 2.2% in 2025 from 2.6% in 2024',
      'Japan: real GDP growth picked up to 1.1% in 2025 from 0.2% in 2024',
      'Real GDP growth revised for two economies; the US 2024 figure was revised down to 2.6% from 2.8%',
    ]);
    const revisions = await sql<{ id: string }>(
      `SELECT c.id FROM changes c JOIN series s ON s.id = c.series_id JOIN regions r ON r.code = s.region
       WHERE c.kind = 'revision' ORDER BY c.importance DESC, r.weight DESC, c.id COLLATE "C"`,
    );
    expect(brief?.items[2]).toMatchObject({ changes: 4, members: revisions.map(({ id }) => id) });
  });

  it('is independent of the order of imports', async () => {
    const publishAll = async (...deliveries: Figures[]) => {
      await sql('TRUNCATE series, publications CASCADE');
      await first();
      for (const figures of deliveries) await publish('2026-02-10', figures);
      return briefs();
    };
    const together = await publishAll({ ...GROWTH, ...LABOUR });
    expect(together[0]?.items).toHaveLength(4);
    expect(await publishAll(GROWTH, LABOUR)).toEqual(together);
    expect(await publishAll(LABOUR, GROWTH)).toEqual(together);
  });

  it('ignores later knowledge: a newer vintage or a backfill', async () => {
    await first();
    await publish('2026-02-10', { ...GROWTH, ...LABOUR });
    const [then] = await briefs();
    await publish('2026-03-10', { 'gdp-growth JP': { 2024: '0.9', 2025: '1.9', 2026: '3.3' } });
    await publish('2026-01-20', { 'gdp-growth US': { 2024: '1.1' } }, { backfill: true });
    const [again, later] = await briefs();
    expect(again).toEqual(then);
    expect(later?.day).toBe('2026-03-10');
  });

  it('follows a replaced vintage, and disappears with the last change of its day', async () => {
    await first();
    await publish('2026-02-10', LABOUR);
    const corrected: Figures = { 'unemployment-rate JP': { 2023: '2.6', 2024: '2.5', 2025: '2.7' } };
    await publish('2026-02-10', corrected, { replace: true });
    const [brief] = await briefs();
    expect(brief?.title.en).toBe(
      '10 February 2026: Japan’s unemployment rate (ILO modelled estimate) rose to 2.7% in 2025',
    );
    expect(headlines(brief)).toEqual([
      'Japan: unemployment rate (ILO modelled estimate) rose to 2.7% in 2025 from 2.5% in 2024',
    ]);
    const same: Figures = { 'unemployment-rate JP': { 2023: '2.6', 2024: '2.5' } };
    await publish(
      '2026-02-10',
      { figures: same, speaks: { 'unemployment-rate JP': ['2023', '2025'] } },
      { replace: true },
    );
    expect(await briefs()).toEqual([]);
  });

  it('loses a change that an operator withdraws', async () => {
    await first();
    await publish('2026-02-10', { ...GROWTH, ...LABOUR });
    const { id } = await oneRow(
      sql<{ id: string }>(
        `SELECT c.id FROM changes c JOIN series s ON s.id = c.series_id WHERE s.indicator = 'unemployment-rate'`,
      ),
    );
    await withdrawChange(publisher(), id, 'a test', () => NOW);
    const [brief] = await briefs();
    expect(JSON.stringify(brief)).not.toMatch(/nemployment|失业率|labour/);
    expect(brief?.summary.en).toMatch(
      /^US real GDP growth slowed to 2\.2% in 2025 from 2\.6% \(revised from [\d.]+%\) in 2024; the figure was 1\.1% in Japan, after 0\.2% in 2024\./,
    );
  });

  it('contains nothing of a source that is withheld later, not even in a count', async () => {
    await first();
    await publish('2026-02-10', { ...GROWTH, ...LABOUR });
    const { origin } = await oneRow(
      sql<{ origin: string }>("SELECT origins[1] AS origin FROM series WHERE indicator = 'unemployment-rate'"),
    );
    await withholdSource(publisher(), origin, () => NOW);
    const [brief] = await briefs();
    expect(JSON.stringify(brief)).not.toMatch(/nemployment|失业率|labour/);
    expect(brief?.items).toHaveLength(3);
    expect(brief?.summary.en).toMatch(
      /^US real GDP growth slowed to 2\.2% in 2025 from 2\.6% \(revised from [\d.]+%\) in 2024; the figure was 1\.1% in Japan, after 0\.2% in 2024\./,
    );
  });

  it('contains ten items per section and the number of the other changes', async () => {
    const economies = ['US', 'CN', 'JP', 'DE', 'FR', 'GB', 'IT', 'CA', 'BR', 'IN', 'KR', 'AU'];
    const of = (values: Readonly<Record<string, string>>): Figures =>
      Object.fromEntries(economies.map((code) => [`gdp-growth ${code}`, values]));
    await publish('2026-01-10', of({ 2024: '1.0' }));
    await publish('2026-02-10', of({ 2024: '1.0', 2025: '2.0' }));
    const [brief] = await briefs();
    expect(brief?.items).toHaveLength(10);
    expect(brief?.sections).toEqual([{ coverage: 'growth', omitted: 2 }]);
  });
});
