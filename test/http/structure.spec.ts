import { PLAN_TERMS, PLANS } from '../../src/domain/plans/plans.js';
import { groupOf, leiOf } from '../publishing/registers.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { describeWithSharedData, sharedData } from '../support/shared-data.js';
import { startTestServer, type Reply, type TestServer } from '../support/server.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import { gleif } from '../../src/publish/publishers/gleif/gleif.importer.js';
import { publishRegister } from './registered.js';

interface StructureMap {
  readonly root: string;
  readonly depth: number;
  readonly nodes: readonly {
    readonly id: string;
    readonly lei: string;
    readonly name: string | null;
    readonly missing: string | null;
    readonly level: number;
  }[];
  readonly edges: readonly {
    from: string;
    to: string;
    relation: string;
    since: string | null;
    evidenceClass: string;
  }[];
  readonly truncated: { readonly nodes: number; readonly edges: number };
  readonly known: { readonly given: number; readonly stated: number | null };
}

let database: TestDatabase;
let service: TestServer;
let ids: Map<string, string>;

beforeAll(async () => {
  database = await createTestDatabase('empty');
  const many = Array.from({ length: 620 }, (_, index) => `m${String(index).padStart(3, '0')}`);
  await publishRegister(
    database,
    groupOf('2026-02-01', {
      entities: { giant: {}, ...Object.fromEntries(many.map((name) => [name, {}])) },
      relations: Object.fromEntries(many.map((name) => [`${name} giant`, {}])),
      lists: { giant: 700 },
    }),
  );
  const owner = await database.open('admin');
  const rows = await owner.query<{ id: string; lei: string }[]>('SELECT id, lei FROM entities WHERE lei IS NOT NULL');
  ids = new Map(rows.map(({ id, lei }) => [lei, id]));
  service = await startTestServer({ database });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const HOLDING = '9ZTEST00NORDWIND0153';
const CRANE = '9ZTEST00HARBOUR00410';
const FUND = '9ZTEST00LANTERN00671';
const RING = '9ZTEST00RING00000143';

const ask = (lei: string, query = '', key?: string): Promise<Reply<StructureMap>> =>
  service.get<StructureMap>(`/api/v1/entities/${ids.get(lei) ?? 'ent_none'}/structure${query}`, key);
const mapOf = async (lei: string, query = ''): Promise<StructureMap> => {
  const { status, body } = await ask(lei, query);
  expect(status).toBe(200);
  return body.data;
};
const levels = ({ nodes }: StructureMap): string[] =>
  nodes.map(({ level, name, lei }) => `${String(level)} ${name ?? lei}`);
const relations = ({ nodes, edges }: StructureMap): string[] => {
  const named = new Map(nodes.map(({ id, name, lei }) => [id, name?.split(' ')[1] ?? lei]));
  return edges.map(({ from, to, relation }) => `${named.get(from) ?? '?'} ${relation} ${named.get(to) ?? '?'}`).sort();
};

describe('GET /api/v1/entities/{id}/structure', () => {
  it.each([
    [1, ['0 Nordwind Holding AG', '1 Nordwind Logistics Limited', '1 Nordwind Seefracht GmbH']],
    [2, ['2 Harbour Crane Services Limited', '2 9ZTEST00NOTHERE00260']],
    [3, ['3 Quay Software, Inc.']],
    [4, ['4 Lantern Bay Fund']],
  ])('follows direct relations to depth %i', async (depth, added) => {
    const map = await mapOf(HOLDING, `?depth=${String(depth)}`);
    const shown = levels(map);
    expect(shown).toEqual(expect.arrayContaining(added));
    expect(Math.max(...map.nodes.map(({ level }) => level))).toBe(depth);
    expect([map.depth, map.root]).toEqual([depth, ids.get(HOLDING)]);
    expect(shown.filter((node) => node.startsWith('0'))).toEqual(['0 Nordwind Holding AG']);
  });

  it('shows ancestors above and descendants below, and no siblings', async () => {
    expect(levels(await mapOf('9ZTEST00NORDWIND0250', '?depth=1'))).toEqual([
      '-1 Nordwind Holding AG',
      '0 Nordwind Seefracht GmbH',
      '1 Harbour Crane Services Limited',
    ]);
    expect(levels(await mapOf(FUND, '?depth=2'))).toEqual([
      '-2 Harbour Crane Services Limited',
      '-1 Quay Software, Inc.',
      '0 Lantern Bay Fund',
      '1 Écluse Profonde S.A.',
    ]);
  });

  it('shows a shared child once, with a relation to each parent', async () => {
    const map = await mapOf(HOLDING, '?depth=2');
    expect(map.nodes.filter(({ lei }) => lei === CRANE)).toHaveLength(1);
    expect(relations(map).filter((edge) => edge.endsWith(' Crane'))).toEqual([
      'Holding ultimate Crane',
      'Logistics direct Crane',
      'Seefracht direct Crane',
    ]);
  });

  it('shows an ultimate parent however far away, without counting its depth, and an unknown end without a name', async () => {
    const crane = await mapOf(CRANE, '?depth=1');
    expect(levels(crane)).toEqual([
      '-2 Nordwind Holding AG',
      '-1 Nordwind Logistics Limited',
      '-1 Nordwind Seefracht GmbH',
      '0 Harbour Crane Services Limited',
      '1 Quay Software, Inc.',
    ]);
    const holding = await mapOf(HOLDING, '?depth=1');
    expect(holding.nodes[0]).toMatchObject({
      level: -1,
      name: null,
      missing: 'not_in_source',
      lei: '9ZTEST00NOTHERE00163',
    });
    expect(relations(holding)).toContain('9ZTEST00NOTHERE00163 ultimate Holding');
  });

  it('ends in a cycle', async () => {
    const map = await mapOf(RING, '?depth=4');
    expect(map.nodes).toHaveLength(2);
    expect(relations(map)).toEqual(['Eins direct Zwei', 'Zwei direct Eins']);
  });

  it('states for each relation that it is a fact, with its day and source', async () => {
    const { body } = await ask(HOLDING, '?depth=1');
    expect(body.data.edges).toContainEqual({
      from: ids.get(HOLDING),
      to: ids.get('9ZTEST00NORDWIND0250'),
      relation: 'direct',
      evidenceClass: 'fact',
      since: '2015-01-01',
      until: null,
      source: 'gleif',
    });
    expect(body.meta.sources.map(({ id }) => id)).toEqual(['gleif']);
  });

  it('shows at most 500 entities, with the number of the others and of all', async () => {
    const map = await mapOf(leiOf('giant'));
    expect(map.nodes).toHaveLength(500);
    expect(map.edges).toHaveLength(499);
    expect(map.truncated).toEqual({ nodes: 121, edges: 0 });
    expect(map.known).toEqual({ given: 620, stated: 700 });
    expect((await mapOf(HOLDING)).known).toEqual({ given: 2, stated: null });
  });

  it.each(PLANS)('reaches as deep as the plan %s allows', async (plan) => {
    const allowed = PLAN_TERMS[plan].structureDepth;
    const { body } = await ask(HOLDING, '', await service.key(plan));
    expect(body.data.depth).toBe(allowed);
    expect((body.meta as { reach?: object }).reach).toEqual(
      allowed < 4 ? { given: allowed, allowed, more: true } : undefined,
    );
    if (allowed === 4) return;
    const beyond = await ask(HOLDING, `?depth=${String(allowed + 1)}`, await service.key(plan));
    expect([beyond.status, beyond.body.error?.code]).toEqual([403, 'plan_reach_exceeded']);
  });

  it('reports that nothing more exists if the plan cuts nothing', async () => {
    const { body } = await ask(RING, '', await service.key('free'));
    expect((body.meta as { reach?: object }).reach).toEqual({ given: 1, allowed: 1, more: false });
  });

  it.each(['0', '5', '-1', '1.5', 'deep', ''])('refuses the depth "%s"', async (depth) => {
    expect((await ask(HOLDING, `?depth=${depth}`, await service.key('pro'))).status).toBe(400);
  });

  it('responds with 404 to an unknown entity, after the check of the plan', async () => {
    expect((await service.get('/api/v1/entities/ent_none/structure')).status).toBe(404);
    expect((await service.get('/api/v1/entities/no-entity/structure')).status).toBe(404);
    const free = await service.key('free');
    expect((await service.get('/api/v1/entities/ent_none/structure?depth=2', free)).status).toBe(403);
  });
});

describeWithSharedData("GET /api/v1/entities/{id}/structure on GLEIF's own records", () => {
  it('returns Allianz with its 237 direct children', async () => {
    const own = await createTestDatabase('empty');
    const publisher = await own.open('import');
    const files = ['entities.csv', 'relationships.csv'].map((name) => sharedData('gleif-groups', name));
    await importFiles(publisher, gleif, await gleif.open(files, '2026-01-01'), {
      accept: 'a test',
      now: () => new Date(),
    });
    const other = await startTestServer({ database: own });
    const { body } = await other.get<{ entityId: string; counts: object }>('/api/v1/companies/allianz-se');
    expect(body.data.counts).toMatchObject({ subsidiaries: 237, changes: 0 });
    const map = await other.get<StructureMap>(`/api/v1/entities/${body.data.entityId}/structure`);
    expect(map.body.data.nodes.filter(({ level }) => level === 1)).toHaveLength(237);
    expect(map.body.data.truncated).toEqual({ nodes: 0, edges: 0 });
    await other.close();
    await own.drop();
  });
});
