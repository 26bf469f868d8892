// runs: in full only
import type { Delivery } from '../../src/publish/batches/importer.js';
import { decideHeld, deliveriesOfHeld, findHeld, listHeld } from '../../src/publish/audit/held-deliveries.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import { endWaitsOf } from '../../src/publish/versions/end-waits.js';
import { retractVersion } from '../../src/publish/versions/retract-version.js';
import { OWN } from './deliveries.js';
import { NOW, usePublishing, type Settings } from './publishing.js';
import { groupOf, leiOf, registrantsOf, type Group } from './registers.js';

const { sql, run, publisher, revisions } = usePublishing();
beforeEach(() => sql('TRUNCATE entities CASCADE'));

const JUDGED = { accept: undefined } as unknown as Settings;
const [FIRST, SECOND, THIRD] = ['2026-06-01', '2026-07-01', '2026-07-08'] as const;

const PLAIN = { alpha: {}, beta: {}, gamma: {}, delta: {}, omega: {}, sigma: {} };
/** gamma below beta below alpha, and omega that owns delta. */
const GROUP: Group = {
  entities: PLAIN,
  relations: { 'beta alpha': {}, 'gamma beta': {}, 'delta omega': {} },
  lists: { alpha: 1, beta: 1, omega: 1 },
};
/** The delivery also brings an honest new relation. */
const with_ = (relations: Required<Group>['relations'], rest: Group = {}): Group => ({
  entities: PLAIN,
  ...rest,
  relations: { 'sigma omega': {}, ...relations },
});
const RIGHT = with_(GROUP.relations ?? {});
type Listed = Parameters<typeof registrantsOf>[1];
const OTHERS: Listed = Object.fromEntries(
  Array.from({ length: 6 }, (_, at) => [200 + at, [`Company ${at}`, `TIC${at}`] as const]),
);
const registrants = (first: string, second: string, others = OTHERS): Listed => ({
  ...others,
  100: [first, 'AAA'],
  101: [second, 'BBB'],
});

const relations = async (): Promise<string[]> =>
  (
    await sql<{ ends: string }>(
      `SELECT concat_ws(' ', c.lei, p.lei, nullif(kind, 'direct')) AS ends FROM relations r
         JOIN entities c ON c.id = r.child JOIN entities p ON p.id = r.parent WHERE r.valid_to IS NULL`,
    )
  )
    .map(({ ends }) => [...Object.keys(PLAIN), 'tau'].reduce((text, name) => text.replace(leiOf(name), name), ends))
    .sort();
const names = () =>
  sql<{ id: string; name: string }>(
    'SELECT coalesce(lei, cik::text) AS id, name FROM entities WHERE name IS NOT NULL ORDER BY lei, cik',
  );
const publish = async (delivery: Delivery, settings: Settings = JUDGED) => {
  const [report] = await run(delivery, settings);
  if (report === undefined) throw new Error('no report');
  return report;
};
const waits = async (): Promise<string[]> =>
  (await listHeld(publisher(), false)).flatMap(({ waiting }) => waiting.map(({ series }) => series)).sort();
const states = async () => (await listHeld(publisher(), true)).map(({ state }) => state);

const DECISION = { at: NOW, by: 'ada', reason: null };
/** As `tidemark deliveries accept`. */
const accept = async (id: number | null, only?: readonly string[]) => {
  const held = await findHeld(publisher(), id ?? 0);
  return importFiles(publisher(), OWN, await deliveriesOfHeld(publisher(), held), {
    accept: 'ada',
    only: only ?? held.waiting.map(({ series }) => series),
    now: () => NOW,
    onPublication: (client, { dataVersion }) =>
      decideHeld(client, held.id, { ...DECISION, state: 'accepted', dataVersion }),
  });
};
const drop = async (id: number | null) => {
  const held = await findHeld(publisher(), id ?? 0);
  const every = held.waiting.map(({ series }) => series);
  return endWaitsOf(publisher(), held, every, { ...DECISION, state: 'dropped' });
};

interface Fault {
  readonly wrong: Delivery;
  readonly right: Delivery;
  readonly check: string;
  readonly waiting: readonly string[];
  /** What the rest brings, and what accepting adds. */
  readonly published: string;
  readonly accepted: readonly string[];
}
const swapped = { ...PLAIN, alpha: { name: 'Beta AG' }, beta: { name: 'Alpha AG' } };
const FAULTS: Readonly<Record<string, Fault>> = {
  'a parent that is its descendant by stored relations': {
    wrong: groupOf(SECOND, with_({ 'alpha gamma': {} }, { parentsOf: ['alpha'] })),
    right: groupOf(THIRD, { ...RIGHT, parentsOf: ['alpha'] }),
    check: 'circular',
    waiting: [leiOf('alpha')],
    published: 'sigma omega',
    accepted: ['alpha gamma', ...RELATIONS()],
  },
  'an ultimate parent that is a descendant': {
    wrong: groupOf(SECOND, with_({ 'alpha gamma': { kind: 'ultimate' } })),
    right: groupOf(THIRD, { ...RIGHT, relations: { ...RIGHT.relations, 'alpha omega': { kind: 'ultimate' } } }),
    check: 'circular',
    waiting: [leiOf('alpha')],
    published: 'sigma omega',
    accepted: ['alpha gamma ultimate', ...RELATIONS()],
  },
  'names of two entities that changed places': {
    wrong: groupOf(SECOND, with_({}, { entities: swapped })),
    right: groupOf(THIRD, RIGHT),
    check: 'exchanged',
    waiting: [leiOf('alpha'), leiOf('beta')],
    published: 'sigma omega',
    accepted: RELATIONS(),
  },
};
function RELATIONS(): readonly string[] {
  return ['beta alpha', 'delta omega', 'gamma beta', 'sigma omega'];
}

describe.each(Object.entries(FAULTS))('%s', (_, { wrong, right, check, waiting, published, accepted }) => {
  beforeEach(() => publish(groupOf(FIRST, GROUP)));

  it('lets its entities wait, and publishes the rest', async () => {
    const before = await names();
    const report = await publish(wrong);
    expect(report).toMatchObject({ outcome: 'published', findings: [{ check, subject: 'gleif' }] });
    expect(report.quarantined).toEqual(waiting.map((series) => ({ series, checks: [check] })));
    expect(await relations()).toEqual(RELATIONS());
    expect(await relations()).toContain(published);
    expect([await names(), await waits()]).toEqual([before, waiting]);
    expect((await findHeld(publisher(), report.heldDelivery ?? 0)).waiting[0]).toEqual({
      series: waiting[0],
      since: SECOND,
      checks: [check],
      stored: [],
      given: [],
    });
    expect(await publish(wrong)).toMatchObject({ outcome: 'unchanged', heldDelivery: report.heldDelivery });
    expect([await revisions(), await waits()]).toEqual([2, waiting]);
  });

  it('is published when it is accepted, and not asked again', async () => {
    const { heldDelivery } = await publish(wrong);
    expect(await accept(heldDelivery)).toMatchObject([{ outcome: 'published', kind: 'import' }]);
    expect(await relations()).toEqual(accepted);
    expect((await names())[0]?.name).toBe(check === 'exchanged' ? 'Beta AG' : 'Alpha AG');
    expect([await waits(), await states()]).toEqual([[], ['accepted']]);
    expect(await publish(wrong)).toMatchObject({ findings: [], quarantined: [] });
  });

  it('is forgotten when it is dropped, and not asked again', async () => {
    const before = await names();
    const { heldDelivery } = await publish(wrong);
    await drop(heldDelivery);
    expect([await waits(), await states(), await names()]).toEqual([[], ['dropped'], before]);
    expect(await publish(wrong)).toMatchObject({ outcome: 'unchanged' });
    expect([await relations(), await waits()]).toEqual([RELATIONS(), []]);
  });

  it('is superseded by the next delivery that is right', async () => {
    await publish(wrong);
    expect(await publish(right)).toMatchObject({ outcome: 'published', findings: [] });
    expect([await waits(), await states()]).toEqual([[], ['superseded']]);
  });

  it('is undone with its delivery', async () => {
    const before = await relations();
    await publish(wrong);
    await retractVersion(publisher(), 2, 'a test', () => NOW);
    expect([await relations(), await listHeld(publisher(), true)]).toEqual([before, []]);
    const again = await publish(wrong);
    expect(again.quarantined).toEqual(waiting.map((series) => ({ series, checks: [check] })));
  });
});

describe('Names or tickers of two registrants that changed places', () => {
  const WRONG = registrantsOf(SECOND, registrants('Beta Inc', 'Alpha Inc', { ...OTHERS, '300': ['New Corp', 'NEW'] }));
  const RESTORED = [{ name: 'Alpha Inc' }, { name: 'Beta Inc' }];
  const two = () => sql<{ name: string }>('SELECT name FROM registrants WHERE cik < 200 ORDER BY cik');
  const listed = () => sql('SELECT FROM registrants WHERE listed');
  beforeEach(() => publish(registrantsOf(FIRST, registrants('Alpha Inc', 'Beta Inc'))));

  it('wait, are not unlisted, and the rest is published', async () => {
    const report = await publish(WRONG);
    expect(report).toMatchObject({ outcome: 'published', findings: [{ check: 'exchanged', count: 2 }] });
    expect(await waits()).toEqual(['CIK 100', 'CIK 101']);
    expect(await two()).toEqual(RESTORED);
    expect(await listed()).toHaveLength(9);
    expect(await publish(WRONG)).toMatchObject({ outcome: 'unchanged' });
  });

  it('are accepted one by one, without the others being unlisted', async () => {
    const { heldDelivery } = await publish(WRONG);
    await accept(heldDelivery, ['CIK 100']);
    expect(await two()).toEqual([{ name: 'Beta Inc' }, { name: 'Beta Inc' }]);
    expect([await waits(), await states()]).toEqual([['CIK 101'], ['held']]);
    await accept(heldDelivery);
    expect(await two()).toEqual([{ name: 'Beta Inc' }, { name: 'Alpha Inc' }]);
    expect([await listed(), await states()]).toEqual([Array(9).fill({}), ['accepted']]);
    await expect(accept(heldDelivery, ['CIK 9'])).rejects.toThrow("There is no entity 'CIK 9'");
  });

  it('wait as well if their tickers alone changed places, one of several too', async () => {
    const given = { ...OTHERS, 100: ['Alpha Inc', 'BBB', 'BBB-P'], 101: ['Beta Inc', 'AAA'] } as Listed;
    const report = await publish(registrantsOf(SECOND, given));
    expect(report.quarantined).toEqual(['CIK 100', 'CIK 101'].map((series) => ({ series, checks: ['exchanged'] })));
    expect(await sql('SELECT ticker FROM company_tickers WHERE cik IN (100, 101) ORDER BY cik')).toEqual([
      { ticker: 'AAA' },
      { ticker: 'BBB' },
    ]);
  });

  it('are superseded by the next list, which unlists what it lacks', async () => {
    await publish(WRONG);
    await publish(registrantsOf(THIRD, { '100': ['Alpha Inc', 'AAA'], ...OTHERS }));
    expect([await waits(), await states()]).toEqual([[], ['superseded']]);
    expect(await listed()).toHaveLength(7);
  });
});

describe('A wrong parent', () => {
  beforeEach(() => publish(groupOf(FIRST, GROUP)));

  it('leaves the child in the list of its parent, until it is accepted', async () => {
    const wrong = with_({ 'gamma beta': {}, 'beta gamma': {} }, { lists: { alpha: 0, gamma: 1, omega: 1 } });
    const { heldDelivery } = await publish(groupOf(SECOND, wrong));
    expect(await relations()).toEqual(['beta alpha', 'gamma beta', 'sigma omega']);
    expect(await sql('SELECT given, stated FROM relation_vintages WHERE day = $1 AND NOT complete', [SECOND])).toEqual([
      { given: 0, stated: 1 },
    ]);
    expect(await accept(heldDelivery)).toMatchObject([{ outcome: 'published', kind: 'import' }]);
    expect(await relations()).toEqual(['beta gamma', 'gamma beta', 'sigma omega']);
  });

  it('lets those wait as well who would close a cycle with what stays', async () => {
    const report = await publish(
      groupOf(
        SECOND,
        with_({
          'gamma beta': { state: 'ended' },
          'gamma delta': {},
          'omega gamma': {},
          'delta omega': {},
          'beta gamma': {},
        }),
      ),
    );
    expect(report.quarantined.map(({ series }) => series)).toEqual(['beta', 'gamma', 'omega'].map(leiOf));
    expect(await relations()).toEqual([...RELATIONS()]);
  });

  it('waits on through a delivery that says nothing of parents', async () => {
    await publish(groupOf(SECOND, with_({ 'alpha gamma': {} })));
    expect(await publish(groupOf(THIRD, { entities: PLAIN }))).toMatchObject({ outcome: 'published' });
    expect(await waits()).toEqual([leiOf('alpha')]);
    await publish(groupOf(THIRD, with_({ 'alpha beta': {} })));
    const [held, ...others] = await listHeld(publisher(), false);
    expect([held?.waiting.map(({ series, since }) => [series, since]), others]).toEqual([
      [[leiOf('alpha'), SECOND]],
      [],
    ]);
  });

  it('may be the entity itself, or be new', async () => {
    const report = await publish(
      groupOf(
        SECOND,
        with_({ 'delta delta': {}, 'tau alpha': {}, 'alpha tau': {} }, { entities: { ...PLAIN, tau: {} } }),
      ),
    );
    expect(report.quarantined.map(({ series }) => series)).toEqual(['alpha', 'delta', 'tau'].map(leiOf));
    expect(await relations()).toEqual([...RELATIONS()]);
    expect(await names()).toHaveLength(6);
  });

  it('holds the delivery whole where most of its entities have one', async () => {
    const cycles = { 'alpha beta': {}, 'beta gamma': {}, 'gamma alpha': {} };
    const report = await publish(groupOf(SECOND, { entities: { alpha: {} }, relations: cycles }));
    expect(report).toMatchObject({ outcome: 'held', quarantined: [], findings: [{ check: 'circular', count: 3 }] });
    expect(await revisions()).toBe(1);
  });

  it('is rehearsed, and left out', async () => {
    const wrong = groupOf(SECOND, with_({ 'alpha gamma': {} }));
    const rehearsed = await publish(wrong, { ...JUDGED, dryRun: true });
    expect(rehearsed).toMatchObject({ outcome: 'rehearsed', quarantined: [{ series: leiOf('alpha') }] });
    expect(await listHeld(publisher(), true)).toEqual([]);
    const without = await publish(wrong, { ...JUDGED, without: [leiOf('alpha')] });
    expect(without).toMatchObject({ outcome: 'published', findings: [], quarantined: [] });
    expect(await relations()).toEqual([...RELATIONS()]);
  });
});

describe('What is no fault', () => {
  const HONEST: Readonly<Record<string, Group>> = {
    'a company with a new name': { entities: { ...PLAIN, alpha: { name: 'Kappa AG' } } },
    'a name that moves on to another company': {
      entities: { ...PLAIN, alpha: { name: 'Beta AG' }, beta: { name: 'Kappa AG' } },
    },
    'names exchanged by companies that state their former ones': {
      entities: {
        ...PLAIN,
        alpha: { name: 'Beta AG', otherNames: ['Alpha AG'] },
        beta: { name: 'Alpha AG', otherNames: ['Beta AG'] },
      },
    },
    'a relation that turns round as the old one ends': {
      entities: PLAIN,
      relations: { 'alpha beta': {}, 'beta alpha': { state: 'ended' } },
    },
    'a parent that leaves the list of its child': {
      entities: PLAIN,
      relations: { 'alpha beta': {} },
      lists: { alpha: 0, beta: 1 },
    },
    'an ultimate parent above the direct one': {
      entities: PLAIN,
      relations: { 'gamma alpha': { kind: 'ultimate' }, 'beta alpha': { kind: 'ultimate' } },
    },
  };

  it.each(Object.entries(HONEST))('includes %s', async (_, honest) => {
    await publish(groupOf(FIRST, GROUP));
    const report = await publish(groupOf(SECOND, honest));
    expect(report).toMatchObject({ outcome: 'published', findings: [], quarantined: [] });
  });

  it('includes a registrant with the name that another one gave up', async () => {
    await publish(registrantsOf(FIRST, registrants('Alpha Inc', 'Beta Inc')));
    const report = await publish(registrantsOf(SECOND, registrants('Beta Inc', 'Gamma Inc')));
    expect(report).toMatchObject({ outcome: 'published', findings: [] });
  });

  it('includes a registrant with a ticker that another one gave up', async () => {
    await publish(registrantsOf(FIRST, { ...OTHERS, 100: ['Alpha Inc', 'AAA'], 101: ['Beta Inc', 'BBB'] }));
    const moved = { ...OTHERS, 100: ['Alpha Inc', 'BBB'], 101: ['Beta Inc', 'CCC'] } as Listed;
    expect(await publish(registrantsOf(SECOND, moved))).toMatchObject({ outcome: 'published', findings: [] });
  });
});
