// runs: in full only
import type { Fill } from '../../src/domain/locale/templates.js';
import { changesStatement } from '../../src/serve/resources/changes/change.rows.js';
import { SENTENCES } from '../../src/domain/locale/voice/voices.js';
import { renderAgain } from '../../src/publish/rendering/render-again.js';
import { withdrawChange } from '../../src/publish/versions/withdraw-change.js';
import type { Figures } from './deliveries.js';
import { NOW, usePublishing } from './publishing.js';
import { groupOf } from './registers.js';

const LATER = new Date('2026-09-01T10:00:00Z');

const years = (...values: readonly string[]): Record<string, string> =>
  Object.fromEntries(values.map((value, index) => [String(2010 + index), value]));
const WAVE = ['1', '2', '1', '2', '1', '2', '1', '2', '1', '2'];

const day = (index: number): string =>
  new Date(Date.parse('2026-01-01') + index * 86_400_000).toISOString().slice(0, 10);
const PRICES = Object.fromEntries(
  Array.from({ length: 90 }, (_, at) => [day(at), at > 80 ? '1.2000' : at % 2 === 0 ? '1.0000' : '1.0100']),
);

/** All that is rendered, in the order of its keys. */
const CONTENT = {
  changes: `SELECT id, position, kind, status, headline, summary, importance, occurred_at, published_at, period,
              actual_value, previous_value, delta, delta_percent FROM changes ORDER BY id`,
  corrections: 'SELECT * FROM change_corrections ORDER BY 1, 2',
  signals: 'SELECT id, title, summary, status, rank FROM signals ORDER BY id',
  heat: 'SELECT region, coverage, day, importance, changes, top FROM heat_days ORDER BY 1, 2, 3',
  briefs: 'SELECT day, title, summary FROM briefs ORDER BY day',
  items: 'SELECT day, rank, headline, change_id FROM brief_items ORDER BY 1, 2',
  words: 'SELECT position, words FROM change_words ORDER BY 1',
  shown: `SELECT position, en::jsonb - 'updatedAt' AS en, zh::jsonb - 'updatedAt' AS zh, sources FROM change_documents
          ORDER BY 1`,
  documents: `SELECT type, key, title, snippet FROM search_documents d JOIN search_texts t ON t.document = d.id
              WHERE until IS NULL ORDER BY 1, 2`,
};

/** As if an earlier version had rendered everything. */
const OTHER = `'{"en": "Earlier words", "zh": "旧的措辞", "ja": "以前の文言"}'`;
const EARLIER = `
  UPDATE changes SET headline = ${OTHER}, summary = ${OTHER}, importance = 1;
  UPDATE signals SET title = ${OTHER}, summary = ${OTHER};
  UPDATE briefs SET title = ${OTHER}, summary = ${OTHER};
  UPDATE brief_items SET headline = ${OTHER};
  UPDATE heat_days SET importance = 1;
  UPDATE search_texts t SET snippet = ${OTHER}, fingerprint = '' FROM search_documents d
  WHERE d.id = t.document AND d.type = 'signal';
  UPDATE publications SET rendered_by = 'earlier'`;

/** With another wording of one message, as a later version has it. */
async function withMessage<K extends string>(
  messages: Readonly<Record<K, Fill>>,
  key: K,
  fill: Fill,
  work: () => Promise<unknown>,
): Promise<void> {
  const own = messages[key];
  Object.assign(messages, { [key]: fill });
  try {
    await work();
  } finally {
    Object.assign(messages, { [key]: own });
  }
}

describe('Rendering again', () => {
  const { sql, run, publish, publisher, reader } = usePublishing();
  const content = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(CONTENT).map(async ([name, text]) => [name, await sql(text)] as const)),
    );
  const versions = () =>
    sql<{ kind: string; noted: boolean }>(
      `SELECT kind, rendered_by IS NOT NULL AS noted FROM publications ORDER BY data_version`,
    );
  const render = (settings = {}) => renderAgain(publisher(), () => LATER, settings);
  const updated = () =>
    sql<{ id: string; kind: string }>('SELECT id, kind FROM changes WHERE updated_at = $1 ORDER BY id', [LATER]);

  beforeEach(async () => {
    const policy: Figures = { 'policy-rate-upper US': { '2025-09-18': '4.25', '2025-10-30': '4.00' } };
    await publish('2025-11-01', policy);
    await publish('2026-01-10', {
      'gdp-growth JP': years(...WAVE, '3', '4', '5'),
      'total-reserves JP': { 2021: '1000000000', 2022: '2000000000' },
    });
    await publish('2026-02-10', { 'gdp-growth JP': years(...WAVE, '3', '4', '5', '6', '7') });
    await publish('2026-03-10', { 'gdp-growth JP': years(...WAVE, '3', '4', '5', '6.5', '7') });
    await publish('2026-03-10', { 'gdp-growth JP': years(...WAVE, '3', '4', '5', '6.6', '7') }, { replace: true });
    await publish('2026-04-10', { 'total-reserves JP': { 2022: '2500000000', 2023: '2600000000' } });
    await publish('2026-05-10', { eurusd: PRICES });
    const family = { entities: { alpha: {}, beta: {} }, lists: { alpha: 0 } };
    await run(groupOf('2026-05-11', family));
    await run(groupOf('2026-05-12', { ...family, relations: { 'beta alpha': {} }, lists: { alpha: 1 } }));
    const [reserves] = await sql<{ id: string }>(
      `SELECT changes.id FROM changes JOIN series s ON s.id = series_id WHERE indicator = 'total-reserves' AND kind = 'release'`,
    );
    await withdrawChange(publisher(), reserves?.id ?? '', 'wrong', () => NOW);
  });

  it('gives every old text the words of this version, in one data version that says so', async () => {
    const before = await content();
    const kinds = await sql<{ of: string }>(`SELECT DISTINCT kind || ' ' || status AS of FROM changes ORDER BY 1`);
    expect(kinds.map(({ of }) => of)).toEqual([
      'decision verified',
      'move verified',
      'release verified',
      'release withdrawn',
      'revision corrected',
      'revision verified',
      'structure verified',
    ]);
    expect(before['signals']).not.toEqual([]);
    await sql(EARLIER);
    const publication = await render();
    expect(await content()).toEqual(before);
    expect((await versions()).at(-1)).toEqual({ kind: 'rendering', noted: true });
    expect(publication?.beganAt).toEqual(LATER);
  });

  it('changes nothing a second time', async () => {
    await sql(EARLIER);
    await render();
    const { length } = await versions();
    expect(await render()).toBeNull();
    expect(await versions()).toHaveLength(length);
  });

  it('makes no data version where other code renders the same', async () => {
    const before = await versions();
    await sql(`UPDATE publications SET rendered_by = 'earlier'`);
    const stored = await content();
    expect(await render()).toBeNull();
    expect(await versions()).toEqual(before);
    expect(await content()).toEqual(stored);
    const [last] = await sql<{ by: string }>(
      'SELECT rendered_by AS by FROM publications ORDER BY data_version DESC LIMIT 1',
    );
    expect(last?.by).not.toBe('earlier');
  });

  it('touches only what a changed message renders, and corrects nothing', async () => {
    const before = await content();
    await withMessage(
      SENTENCES.en.changes.release.headline,
      'moved',
      ({ name }) => `News of ${String(name)}`,
      () => render({ fingerprint: 'other' }),
    );
    const now = await content();
    expect((await updated()).map(({ kind }) => kind)).toEqual(['release']);
    const [release] = await sql<Record<string, unknown>>(
      `SELECT headline ->> 'en' AS headline, status, importance FROM changes WHERE updated_at = $1`,
      [LATER],
    );
    expect(release).toMatchObject({ headline: 'News of real GDP growth', status: 'verified' });
    expect(now['corrections']).toEqual(before['corrections']);
    const [kept] = await sql<{ heat: number; signals: number }>(
      `SELECT count(*) FILTER (WHERE r.kind = 'rendering') AS heat,
              (SELECT count(*) FROM signals g JOIN publications p USING (data_version) WHERE p.kind = 'rendering') AS signals
       FROM heat_days h JOIN publications r USING (data_version)`,
    );
    expect(kept).toEqual({ heat: 0, signals: 0 });
  });

  it('lists changes with new words, and no others, under publishedSince', async () => {
    await sql(EARLIER);
    await render();
    const { sql: text, parameters } = changesStatement({ publishedFrom: LATER }, 50);
    const listed = await reader().query<{ id: string }[]>(text, parameters);
    const withdrawn = await sql<{ id: string }>(`SELECT id FROM changes WHERE status = 'withdrawn'`);
    const all = await sql<{ id: string }>(`SELECT id FROM changes ORDER BY id`);
    const wanted = all.map(({ id }) => id).filter((id) => withdrawn.every((gone) => gone.id !== id));
    expect(listed.map(({ id }) => id).sort()).toEqual(wanted.sort());
    expect((await updated()).map(({ id }) => id).sort()).toEqual(wanted);
  });

  it('fires no alert', async () => {
    await sql('DELETE FROM accounts');
    await sql(`
      INSERT INTO accounts (id, email, plan, signed_up_at) VALUES ('acc_ada', 'ada@test.example', 'pro', '2026-01-01');
      INSERT INTO alerts (id, account_id, name, target_type, target_key, metric, threshold, state, created_at)
      VALUES ('alr_any', 'acc_ada', 'any', 'country', 'JP', 'any_change', NULL, 'armed', '2026-01-01'),
             ('alr_value', 'acc_ada', 'value', 'series', 'gdp-growth@JP', 'value_above', 1, 'armed', '2026-01-01')`);
    await sql(EARLIER);
    await render();
    expect(await sql('SELECT * FROM alert_events')).toEqual([]);
    expect(await sql('SELECT DISTINCT state FROM alerts')).toEqual([{ state: 'armed' }]);
  });

  it('keeps the old words and data version if it ends half-way, and completes the next time', async () => {
    const before = await content();
    await sql(EARLIER);
    const [old, made] = [await content(), await versions()];
    const failure = (): string => {
      throw new Error('the power fails');
    };
    await withMessage(SENTENCES.ja.changes.revision.headline, 'up', failure, async () => {
      await expect(render()).rejects.toThrow('the power fails');
    });
    expect(await content()).toEqual(old);
    expect(await versions()).toEqual(made);
    await render();
    expect(await content()).toEqual(before);
  });

  it('brings a name that the catalogue changed into old texts', async () => {
    const before = await content();
    await sql(EARLIER);
    await sql(`UPDATE regions SET name = ${OTHER} WHERE code = 'JP'`);
    await render();
    expect(await content()).toEqual(before);
    const [families] = await sql<{ moved: boolean }>(
      `SELECT bool_and(data_version = (SELECT max(data_version) FROM publications)) AS moved FROM resource_families
       WHERE family NOT LIKE '%/%'`,
    );
    expect(families?.moved).toBe(true);
  });

  it('brings the names of a changed catalogue into the database, and compares them only once', async () => {
    const names = () => sql<{ name: { en: string } }>(`SELECT name FROM regions WHERE code = 'FR'`);
    await sql(`UPDATE regions SET name = ${OTHER} WHERE code = 'FR'`);
    await publish('2026-06-10', { 'total-reserves JP': { 2024: '2700000000' } });
    expect(await names()).toMatchObject([{ name: { en: 'Earlier words' } }]);
    await sql(`UPDATE publications SET rendered_by = 'earlier'`);
    await publish('2026-07-10', { 'total-reserves JP': { 2025: '2700000000' } });
    expect(await names()).toMatchObject([{ name: { en: 'France' } }]);
  });

  it('precedes an import, so that no list mixes two wordings', async () => {
    await sql(EARLIER);
    await publish('2026-06-10', { 'total-reserves JP': { 2024: '2700000000' } });
    expect((await versions()).slice(-2)).toEqual([
      { kind: 'rendering', noted: true },
      { kind: 'import', noted: true },
    ]);
    const [old] = await sql<{ count: number }>(
      `SELECT count(*)::int FROM changes WHERE headline ->> 'en' = 'Earlier words'`,
    );
    expect(old?.count).toBe(0);
  });
});
