// runs: in full only
import { retractVersion } from '../../src/publish/versions/retract-version.js';
import { NOW, usePublishing, type Settings } from './publishing.js';
import { groupOf, type Group } from './registers.js';

const { sql, run, publisher } = usePublishing();
beforeEach(() => sql('TRUNCATE entities CASCADE'));

const CHILDREN = ['beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta'];
const NAMES = ['alpha', ...CHILDREN];
const nameOf = (at: number): string => `${NAMES[at % NAMES.length] ?? ''} Holding`;
const named = (moved: number): Required<Group>['entities'] =>
  Object.fromEntries(NAMES.map((name, at) => [name, { name: nameOf(at + moved) }]));
const related = (to: (child: string) => string): Required<Group>['relations'] =>
  Object.fromEntries(CHILDREN.map((child) => [to(child), { since: '2015-01-01' }]));

const GOOD: Group = {
  entities: named(0),
  relations: related((child) => `${child} alpha`),
  lists: { alpha: CHILDREN.length },
};
/** One child left the group; the next vintage says the same. */
const RIGHT: Group = {
  ...GOOD,
  relations: Object.fromEntries(Object.entries(GOOD.relations ?? {}).slice(1)),
  lists: { alpha: CHILDREN.length - 1 },
};

const WRONG: Readonly<Record<string, Group>> = {
  'names moved by one row': { ...RIGHT, entities: named(1) },
  'relations with their ends swapped': {
    entities: named(0),
    relations: related((child) => `alpha ${child}`),
    lists: { alpha: 0, ...Object.fromEntries(CHILDREN.map((child) => [child, 1])) },
  },
  'entities and relations that do not exist': {
    entities: { ...named(0), omega: { name: 'Omega Holding' } },
    relations: { ...GOOD.relations, 'omega alpha': {} },
    lists: { alpha: CHILDREN.length + 1 },
  },
  'inactive entities and ended relations': {
    entities: Object.fromEntries(NAMES.map((name, at) => [name, { name: nameOf(at), status: 'inactive' }])),
    relations: Object.fromEntries(CHILDREN.map((child) => [`${child} alpha`, { state: 'ended', until: '2026-01-31' }])),
  },
};

/** All that a reader sees of the register, without the numbers of data versions and the traces of withdrawn changes. */
const state = async () => ({
  entities: await sql(
    `SELECT lei, name, other_names, type, country, status, match_name, known_on FROM entities
     WHERE name IS NOT NULL ORDER BY lei`,
  ),
  relations: await sql(
    `SELECT c.name AS child, p.name AS parent, r.kind, valid_from, valid_to, since, until, seen_on
     FROM relations r JOIN entities c ON c.id = r.child JOIN entities p ON p.id = r.parent ORDER BY 1, 2, 3, 4`,
  ),
  coverage: await sql(
    `SELECT e.name, side, kind, day, given, stated FROM relation_vintages v JOIN entities e ON e.id = v.anchor
     ORDER BY 1, 2, 3, 4`,
  ),
  companies: await sql(
    `SELECT slug, folded_name, country, subsidiaries, consolidated, rank, changes FROM companies WHERE listed ORDER BY slug`,
  ),
  changes: await sql(`SELECT id, vintage_day, headline, summary FROM changes WHERE status <> 'withdrawn' ORDER BY id`),
  documents: await sql(
    `SELECT type, key, rank, title, names, facts FROM search_documents d JOIN search_texts t ON t.document = d.id
     WHERE until IS NULL ORDER BY type, key`,
  ),
  words: await sql('SELECT word FROM search_words ORDER BY word'),
});

const EMPTIED = 'TRUNCATE series, publications, entities CASCADE; DELETE FROM search_words';
const publish = async (vintage: string, group: Group, settings: Settings = {}) => {
  const [report] = await run(groupOf(vintage, group), settings);
  return report;
};

describe('A wrong delivery of a register', () => {
  const [FIRST, SECOND, THIRD] = ['2026-01-10', '2026-02-10', '2026-03-10'] as const;

  it.each(Object.entries(WRONG))('is healed by the right file of its day: %s', async (_, wrong) => {
    await publish(FIRST, GOOD);
    await publish(SECOND, RIGHT);
    const oracle = await state();
    await sql(EMPTIED);
    await publish(FIRST, GOOD);
    await publish(SECOND, wrong);
    const healed = await publish(SECOND, RIGHT, { replace: true, accept: undefined } as unknown as Settings);
    expect(healed).toMatchObject({ outcome: 'published', kind: 'replace', findings: [] });
    expect(await state()).toEqual(oracle);
    expect(await publish(SECOND, RIGHT, { replace: true })).toMatchObject({ outcome: 'unchanged' });
  });

  it.each(Object.entries(WRONG))(
    'is taken back as if it had not been, whether a later one came before or after: %s',
    async (_, wrong) => {
      await publish(FIRST, GOOD);
      const before = await state();
      await publish(THIRD, RIGHT);
      const oracle = await state();

      await sql(EMPTIED);
      await publish(FIRST, GOOD);
      await publish(SECOND, wrong);
      await retractVersion(publisher(), 2, 'a wrong file', () => NOW);
      expect(await state()).toEqual(before);
      await publish(THIRD, RIGHT);
      expect(await state()).toEqual(oracle);

      await sql(EMPTIED);
      await publish(FIRST, GOOD);
      await publish(SECOND, wrong);
      await publish(THIRD, RIGHT);
      await retractVersion(publisher(), 2, 'a wrong file', () => NOW);
      expect(await state()).toEqual(oracle);
    },
  );

  it('is corrected in the texts of its changes, which keep their ids', async () => {
    await publish(FIRST, GOOD);
    await publish(SECOND, { ...RIGHT, entities: named(1) });
    await publish(SECOND, RIGHT, { replace: true });
    const [change, ...others] = await sql<{ status: string; headline: { en: string } }>(
      'SELECT status, headline FROM changes',
    );
    expect(others).toEqual([]);
    expect(change?.status).toBe('corrected');
    expect(change?.headline.en).toContain('Beta Holding no longer directly consolidated by alpha Holding');
  });

  it('loses the wrong names too if it is the first', async () => {
    await publish(FIRST, GOOD);
    const oracle = await state();
    await sql(EMPTIED);
    await publish(FIRST, { ...GOOD, entities: named(1) });
    await publish(FIRST, GOOD, { replace: true });
    const healed = await state();
    expect({ ...healed, companies: [], documents: [] }).toEqual({ ...oracle, companies: [], documents: [] });
  });

  it('is not taken back alone if another delivery states more of its day', async () => {
    await publish(FIRST, GOOD);
    await publish(FIRST, { entities: { omega: {} } });
    await expect(retractVersion(publisher(), 1, 'x', () => NOW)).rejects.toThrow(
      'Data version 2 has legal entities of the same day as data version 1',
    );
  });
});
