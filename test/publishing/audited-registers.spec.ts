// runs: in full only
import type { CheckName } from '../../src/publish/publication/finding.js';
import type { Delivery } from '../../src/publish/batches/importer.js';
import { usePublishing, type Settings } from './publishing.js';
import { groupOf, registrantsOf, type Group } from './registers.js';

const CHILDREN = ['beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta'] as const;
const named = (to: (name: string, index: number) => object): Required<Group>['entities'] =>
  Object.fromEntries(['alpha', ...CHILDREN].map((name, index) => [name, to(name, index)]));
const related = (to: (child: string) => readonly [string, object]): Required<Group>['relations'] =>
  Object.fromEntries(CHILDREN.map((child) => to(child)));

const GROUP: Group = {
  entities: named(() => ({})),
  relations: related((child) => [`${child} alpha`, {}]),
  lists: { alpha: CHILDREN.length },
};
const TICKERS: Readonly<Record<string, readonly [string, string]>> = Object.fromEntries(
  Array.from({ length: 10 }, (_, at) => [String(100 + at), [`Company ${at}`, `TIC${at}`]]),
);
const listed = (to: (name: string, ticker: string, at: number) => readonly [string, ...string[]] | null) =>
  Object.fromEntries(
    Object.entries(TICKERS).flatMap(([cik, [name, ticker]], at) => {
      const made = to(name, ticker, at);
      return made === null ? [] : [[cik, made] as const];
    }),
  );
const LISTED = listed((name, ticker) => [name, ticker]);

const { sql, run, revisions } = usePublishing();
const COUNTRIES = ['DE', 'FR', 'GB', 'IT', 'US', 'CH', 'NL'];
const AUDITED = { accept: undefined } as unknown as Settings;
const group = (given: Group) => (vintage: string) => groupOf(vintage, given);
const registrants = (given: Parameters<typeof registrantsOf>[1]) => (vintage: string) => registrantsOf(vintage, given);

type Made = (vintage: string) => Delivery;
const CASES: readonly (readonly [string, CheckName, Made, Made])[] = [
  [
    'every entity as inactive',
    'inactive',
    group(GROUP),
    group({ ...GROUP, entities: named(() => ({ status: 'inactive' })) }),
  ],
  [
    'names that moved by one row',
    'renamed',
    group(GROUP),
    group({ ...GROUP, entities: named((_, at) => ({ name: `Company of row ${at}` })) }),
  ],
  [
    'countries that moved by one row',
    'relocated',
    group({ ...GROUP, entities: named((_, at) => ({ country: COUNTRIES[at] ?? 'JP' })) }),
    group({ ...GROUP, entities: named((_, at) => ({ country: COUNTRIES[at + 1] ?? 'JP' })) }),
  ],
  [
    'relations with their ends swapped',
    'reversed',
    group(GROUP),
    group({ entities: named(() => ({})), relations: related((child) => [`alpha ${child}`, {}]) }),
  ],
  [
    'a list of one child in place of six',
    'ended',
    group(GROUP),
    group({ entities: { alpha: {}, beta: {} }, relations: { 'beta alpha': {} }, lists: { alpha: 1 } }),
  ],
  [
    'relations that all ended',
    'ended',
    group(GROUP),
    group({ ...GROUP, lists: {}, relations: related((child) => [`${child} alpha`, { state: 'ended' }]) }),
  ],
  [
    'half of the registrants',
    'unlisted',
    registrants(LISTED),
    registrants(listed((name, ticker, at) => (at < 5 ? [name, ticker] : null))),
  ],
  [
    'tickers that moved by one row',
    'requoted',
    registrants(LISTED),
    registrants(listed((name, _, at) => [name, `TIC${(at + 1) % 10}`])),
  ],
  [
    'titles that moved by one row',
    'renamed',
    registrants(LISTED),
    registrants(listed((_, ticker, at) => [`Company ${(at + 1) % 10}`, ticker])),
  ],
];

describe('The audit of a register', () => {
  const state = () =>
    sql(`
      SELECT e.name, e.status, r.valid_from, r.valid_to, k.ticker, s.listed
      FROM entities e LEFT JOIN relations r ON r.child = e.id LEFT JOIN registrants s ON s.entity_id = e.id
        LEFT JOIN company_tickers k ON k.cik = s.cik ORDER BY e.id, r.parent, k.ticker`);

  it.each(CASES)('holds %s, and lets the right file pass', async (_, fails, stored, wrong) => {
    await run(stored('2026-06-01'), AUDITED);
    const before = await state();
    const [held] = await run(wrong('2026-07-01'), AUDITED);
    expect(held).toMatchObject({ outcome: 'held', heldDelivery: expect.any(Number) as number });
    expect(held?.findings.map(({ check }) => check)).toContain(fails);
    expect(held?.findings[0]?.cells[0]?.series).toMatch(/^(9ZSPEC|CIK )/);
    expect([await revisions(), await state()]).toEqual([1, before]);
    const [right] = await run(stored('2026-07-01'), AUDITED);
    expect([right?.outcome, right?.findings]).toEqual(['published', []]);
    expect(await state()).toEqual(before);
  });

  it('lets an extract pass that names some of the entities', async () => {
    await run(groupOf('2026-06-01', GROUP), AUDITED);
    const before = await state();
    const part: Group = { entities: { beta: {}, alpha: {} }, relations: { 'beta alpha': {} } };
    const [report] = await run(groupOf('2026-07-01', part), AUDITED);
    expect(report).toMatchObject({ outcome: 'published', findings: [] });
    expect(await state()).toEqual(before);
  });

  it('lets one company change its name, its ticker, and its parent', async () => {
    await run(registrantsOf('2026-06-01', LISTED), AUDITED);
    const [report] = await run(registrantsOf('2026-07-01', { ...LISTED, '100': ['Another Name', 'OTHER'] }), AUDITED);
    expect(report).toMatchObject({ outcome: 'published', findings: [] });
  });
});
