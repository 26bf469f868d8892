// runs: in full only
import { withholdSource } from '../../src/publish/versions/withhold-source.js';
import { everyNth } from '../support/exhaustive.js';
import { NOW, usePublishing } from './publishing.js';
import { groupOf, leiOf, registrantsOf, type Group } from './registers.js';

const FAMILY: Group = {
  entities: { alpha: {}, beta: {}, gamma: { country: 'FR' } },
  relations: { 'beta alpha': { since: '2015-01-01' } },
  lists: { alpha: 1 },
};

describe('A register', () => {
  const { sql, run, publisher, revisions } = usePublishing();

  const publish = async (vintage: string, group: Group, settings = {}) => {
    const [report] = await run(groupOf(vintage, group), settings);
    if (report === undefined) throw new Error('no report');
    return report;
  };
  const relations = () =>
    sql<object>(`
      SELECT c.name AS child, p.name AS parent, r.valid_from AS "from", r.valid_to AS "to", r.since
      FROM relations r JOIN entities c ON c.id = r.child JOIN entities p ON p.id = r.parent
      WHERE r.kind = 'direct' ORDER BY c.name, p.name, r.valid_from`);
  const changes = () =>
    sql<{ headline: string; status: string; day: string }>(
      `SELECT headline ->> 'en' AS headline, status, vintage_day AS day FROM changes ORDER BY position`,
    );

  it('is stored in one data version, without changes in its first import', async () => {
    const report = await publish('2026-01-01', FAMILY);
    expect(report).toMatchObject({ outcome: 'published', kind: 'import' });
    expect(report.counts).toMatchObject({ entities: 3, relations: 1, structures: 0 });
    expect(await relations()).toEqual([
      { child: 'Beta AG', parent: 'Alpha AG', from: '2026-01-01', to: null, since: '2015-01-01' },
    ]);
    expect(await changes()).toEqual([]);
  });

  it('changes nothing if the same file is imported again', async () => {
    await publish('2026-01-01', FAMILY);
    expect((await publish('2026-01-01', FAMILY)).outcome).toBe('unchanged');
    expect(await revisions()).toBe(1);
  });

  it('keeps its rows on a later day without differences, and makes no change', async () => {
    await publish('2026-01-01', FAMILY);
    expect((await publish('2026-02-01', FAMILY)).kind).toBe('import');
    expect(await relations()).toHaveLength(1);
    expect(await changes()).toEqual([]);
  });

  it('makes a change for a child that is new in a complete list, and for one that is missing from it', async () => {
    await publish('2026-01-01', FAMILY);
    const grown = { 'beta alpha': {}, 'gamma alpha': { since: '2026-01-15' } };
    const report = await publish('2026-02-01', { ...FAMILY, relations: grown, lists: { alpha: 2 } });
    expect(report.counts.structures).toBe(1);
    await publish('2026-03-01', { ...FAMILY, relations: { 'gamma alpha': {} }, lists: { alpha: 1 } });
    expect(await changes()).toEqual([
      { headline: 'Gamma AG now directly consolidated by Alpha AG', status: 'verified', day: '2026-02-01' },
      { headline: 'Beta AG no longer directly consolidated by Alpha AG', status: 'verified', day: '2026-03-01' },
    ]);
    const [began] = await sql<{ links: string[]; regions: string[]; summary: string }>(`
      SELECT ARRAY(SELECT e.name FROM change_entities l JOIN entities e ON e.id = l.entity WHERE l.position = c.position ORDER BY 1) AS links,
             ARRAY(SELECT region FROM change_regions l WHERE l.position = c.position ORDER BY 1) AS regions,
             summary ->> 'en' AS summary FROM changes c ORDER BY position LIMIT 1`);
    expect(began?.links).toEqual(['Alpha AG', 'Gamma AG']);
    expect(began?.regions).toEqual(['DE', 'FR']);
    expect(began?.summary).toContain('since 15 January 2026');
  });

  it('closes nothing by an incomplete list', async () => {
    await publish('2026-01-01', { ...FAMILY, lists: { alpha: 9 } });
    await publish('2026-02-01', { ...FAMILY, relations: { 'gamma alpha': {} }, lists: { alpha: 9 } });
    await publish('2026-03-01', { ...FAMILY, relations: { 'gamma alpha': {}, 'beta alpha': {} }, lists: { alpha: 2 } });
    expect(await changes()).toEqual([]);
    expect(await relations()).toHaveLength(2);
  });

  it('makes two changes for a child with a new parent', async () => {
    await publish('2026-01-01', { ...FAMILY, lists: {}, parentsOf: ['beta'] });
    await publish('2026-02-01', { ...FAMILY, lists: {}, relations: { 'beta gamma': {} }, parentsOf: ['beta'] });
    expect((await changes()).map(({ headline }) => headline).sort()).toEqual([
      'Beta AG no longer directly consolidated by Alpha AG',
      'Beta AG now directly consolidated by Gamma AG',
    ]);
  });

  it('ends a relation with the end day that it states', async () => {
    await publish('2026-01-01', FAMILY);
    const ended = { 'beta alpha': { state: 'ended', until: '2026-01-20' } } as const;
    await publish('2026-02-01', { entities: {}, relations: ended });
    const [change] = await sql<{ summary: Record<string, string> }>('SELECT summary FROM changes');
    expect(change?.summary['en']).toContain('until 20 January 2026');
    expect(change?.summary['zh']).toContain('2026年1月20日');
    expect(change?.summary['ja']).toContain('2026年1月20日まで');
  });

  it('makes no change for ultimate parents', async () => {
    const ultimate = { 'beta alpha': { kind: 'ultimate' } } as const;
    await publish('2026-01-01', { ...FAMILY, relations: {}, lists: { alpha: 0 } });
    await publish('2026-02-01', { ...FAMILY, relations: ultimate, lists: {} });
    expect(await changes()).toEqual([]);
  });

  it('stores an undescribed end, and keeps its id when it is described later', async () => {
    await publish('2026-01-01', { relations: { 'beta alpha': {} } });
    const before = await sql<object>('SELECT id, name, type FROM entities ORDER BY lei');
    expect(before).toEqual([expect.objectContaining({ name: null, type: 'unknown' }), expect.anything()]);
    await publish('2026-02-01', FAMILY);
    const after = await sql<{ id: string; name: string }>('SELECT id, name FROM entities ORDER BY lei LIMIT 2');
    expect(after.map(({ name }) => name)).toEqual(['Alpha AG', 'Beta AG']);
    expect(after).toEqual(before.map((row, at) => ({ ...after[at], id: (row as { id: string }).id })));
  });

  describe('for a stored day', () => {
    const other: Group = { ...FAMILY, relations: { 'gamma alpha': {} } };

    it('needs --replace for differences, and then withdraws changes that no longer follow', async () => {
      await publish('2026-01-01', FAMILY);
      await publish('2026-02-01', other);
      expect(await changes()).toHaveLength(2);
      await expect(publish('2026-02-01', FAMILY)).rejects.toThrow('--replace');
      const report = await publish('2026-02-01', FAMILY, { replace: true });
      expect(report.kind).toBe('replace');
      expect((await changes()).map(({ status }) => status)).toEqual(['withdrawn', 'withdrawn']);
      expect(await relations()).toEqual([
        { child: 'Beta AG', parent: 'Alpha AG', from: '2026-01-01', to: null, since: '2015-01-01' },
      ]);
      expect((await publish('2026-02-01', FAMILY)).outcome).toBe('unchanged');
    });

    it('needs --backfill if something newer is stored, and then derives nothing', async () => {
      await publish('2026-02-01', FAMILY);
      await expect(publish('2026-01-01', other)).rejects.toThrow('--backfill');
      expect((await publish('2026-01-01', other, { backfill: true })).kind).toBe('backfill');
      expect(await relations()).toEqual([
        { child: 'Beta AG', parent: 'Alpha AG', from: '2026-02-01', to: null, since: '2015-01-01' },
        { child: 'Gamma AG', parent: 'Alpha AG', from: '2026-01-01', to: '2026-02-01', since: null },
      ]);
      expect(await changes()).toEqual([]);
      expect((await publish('2026-01-01', other)).outcome).toBe('unchanged');
    });
  });

  it('gives a change the same id whatever else the database contains', async () => {
    const ids = () => sql<{ id: string }>('SELECT id FROM changes ORDER BY id');
    const grown = { ...FAMILY, relations: { 'beta alpha': {}, 'gamma alpha': {} }, lists: { alpha: 2 } };
    await publish('2026-01-01', FAMILY);
    await publish('2026-02-01', grown);
    const first = await ids();
    await sql('TRUNCATE series, publications CASCADE');
    await publish('2025-06-01', { entities: { delta: {} }, relations: { 'delta gamma': {} } });
    await publish('2025-12-01', FAMILY);
    await publish('2026-02-01', grown);
    expect(await ids()).toEqual(first);
    expect(first).toHaveLength(1);
  });

  it('closes nothing if rows were left out', async () => {
    await publish('2026-01-01', FAMILY);
    const delivery = groupOf('2026-02-01', { ...FAMILY, relations: {}, lists: { alpha: 0 } });
    const bad = { place: { file: 'register.csv', line: 7, column: 'lei' }, reason: 'broken' };
    await run(
      {
        ...delivery,
        async *read(onBytes) {
          yield* delivery.read(onBytes);
          yield { kind: 'bad', rows: [bad] };
        },
      },
      { skipBadRows: true },
    );
    expect(await relations()).toMatchObject([{ to: null }]);
  });

  it('refuses two descriptions of one entity', async () => {
    const delivery = groupOf('2026-01-01', FAMILY);
    const other = groupOf('2026-01-01', { entities: { alpha: { name: 'Another AG' } } });
    const both = {
      ...delivery,
      async *read(onBytes: (count: number) => void) {
        yield* delivery.read(onBytes);
        yield* other.read(onBytes);
      },
    };
    await expect(run(both)).rejects.toThrow(`${leiOf('alpha')}: Alpha AG, active`);
    expect(await revisions()).toBe(0);
  });

  describe('with companies', () => {
    const companies = () =>
      sql<object>(`SELECT slug, listed, subsidiaries, changes, consolidated, rank FROM companies ORDER BY slug`);

    it('has one company for each active entity, with counts', async () => {
      await publish('2026-01-01', { ...FAMILY, entities: { ...FAMILY.entities, omega: { status: 'inactive' } } });
      await publish('2026-02-01', {
        ...FAMILY,
        relations: { 'beta alpha': {}, 'gamma alpha': {} },
        lists: { alpha: 2 },
      });
      expect(await companies()).toEqual([
        { slug: 'alpha-ag', listed: true, subsidiaries: 2, changes: 1, consolidated: 2, rank: 42 },
        { slug: 'beta-ag', listed: true, subsidiaries: 0, changes: 0, consolidated: 0, rank: 25 },
        { slug: 'gamma-ag', listed: true, subsidiaries: 0, changes: 1, consolidated: 0, rank: 25 },
      ]);
    });

    it('keeps a slug for ever, and distinguishes namesakes by the LEI', async () => {
      await publish('2026-01-01', FAMILY);
      const renamed = { alpha: { name: 'Omega AG' }, beta: {}, gamma: {}, later: { name: 'Alpha AG' } };
      await publish('2026-02-01', { ...FAMILY, entities: renamed });
      const rows = await sql<{ slug: string; name: string }>(
        'SELECT slug, name FROM companies c JOIN entities e ON e.id = c.entity_id ORDER BY slug',
      );
      expect(rows[0]).toEqual({ slug: 'alpha-ag', name: 'Omega AG' });
      expect(rows[1]).toEqual({ slug: `alpha-ag-${leiOf('later').slice(-6).toLowerCase()}`, name: 'Alpha AG' });
      await publish('2026-03-01', { ...FAMILY, entities: { alpha: { name: 'Omega AG', status: 'inactive' } } });
      await publish('2026-04-01', { ...FAMILY, entities: { alpha: { name: 'Omega AG' } } });
      expect((await companies())[0]).toMatchObject({ slug: 'alpha-ag', listed: true });
      expect(await sql(`SELECT other_names FROM entities WHERE name = 'Omega AG'`)).toEqual([
        { other_names: ['Alpha AG'] },
      ]);
    });
  });

  describe('with registrants', () => {
    const american = (name: string) => ({ name, country: 'US', jurisdiction: 'US-DE' });
    const shown = () =>
      sql<object>(
        `SELECT e.name, e.lei IS NOT NULL AS lei, e.cik,
           ARRAY(SELECT ticker FROM company_tickers k WHERE k.cik = e.cik ORDER BY ordinal) AS tickers
         FROM entities e ORDER BY e.name, e.cik`,
      );
    const pair = (name: string) => ({ entities: { quay: american(name) } });

    const likewise = [
      ['Quay Software, Inc.', 'QUAY SOFTWARE INC'],
      ['QUAY SOFTWARE CORPORATION', 'Quay Software Corp.'],
      ['The Quay Company', 'QUAY CO'],
      ['Quay & Sons, L.P.', 'QUAY & SONS LP'],
    ] as const;
    it.each(everyNth(likewise, 4))('matches %s with %s, whichever is imported first', async (legal, filed) => {
      const both = [{ name: legal, lei: true, cik: 77, tickers: ['QUAY', 'QUAY-B'] }];
      await publish('2026-01-01', pair(legal));
      await run(registrantsOf('2026-01-02', { 77: [filed, 'QUAY', 'QUAY-B'] }));
      expect(await shown()).toEqual(both);
      await sql('TRUNCATE series, publications CASCADE');
      await run(registrantsOf('2026-01-02', { 77: [filed, 'QUAY', 'QUAY-B'] }));
      const [before] = await sql<{ id: string }>('SELECT id FROM entities');
      await publish('2026-01-03', pair(legal));
      expect(await shown()).toEqual(both);
      expect(await sql('SELECT id FROM entities')).toEqual([before]);
    });

    it('describes an entity by its own register, although the regulator listed it on a later day', async () => {
      await run(registrantsOf('2026-02-02', { 77: ['QUAY SOFTWARE INC', 'QUAY'] }));
      await publish('2026-01-01', pair('Quay Software, Inc.'));
      const [entity] = await sql<object>(
        'SELECT name, cik, lei IS NOT NULL AS lei, known_on::text AS day, source_id AS source FROM entities',
      );
      expect(entity).toEqual({ name: 'Quay Software, Inc.', cik: 77, lei: true, day: '2026-01-01', source: 'gleif' });
      await withholdSource(publisher(), 'gleif', () => NOW);
      expect(await sql('SELECT FROM search_documents')).toEqual([]);
      await sql(`UPDATE sources SET withheld = false WHERE id = 'gleif'`);
    });

    it.each<[string, Group, Record<number, readonly [string, ...string[]]>]>([
      ['of another legal form', pair('Quay Software LLC'), { 77: ['QUAY SOFTWARE INC', 'QUAY'] }],
      [
        'under another law',
        { entities: { quay: { name: 'Quay Software Inc' } } },
        { 77: ['QUAY SOFTWARE INC', 'QUAY'] },
      ],
      [
        'that is one of two registrants',
        pair('Quay Software Inc'),
        { 77: ['QUAY SOFTWARE INC', 'QUAY'], 78: ['Quay Software, Inc. /NV/', 'QUAX'] },
      ],
      [
        'that two legal entities bear',
        { entities: { quay: american('Quay Software Inc'), quaz: american('Quay Software, Inc.') } },
        { 77: ['QUAY SOFTWARE INC', 'QUAY'] },
      ],
      [
        'that is no legal entity but a fund',
        { entities: { quay: { ...american('Quay Software Inc'), type: 'fund' } } },
        { 77: ['QUAY SOFTWARE INC', 'QUAY'] },
      ],
      ['that only begins alike', pair('Quay Software Holdings Inc'), { 77: ['QUAY SOFTWARE INC', 'QUAY'] }],
    ])('matches none to a look-alike %s', async (_, group, listed) => {
      await publish('2026-01-01', group);
      await run(registrantsOf('2026-01-02', listed));
      const rows = (await shown()) as { lei: boolean; cik: number | null }[];
      expect(rows.filter(({ lei, cik }) => lei && cik !== null)).toEqual([]);
    });

    it('follows a list: new tickers, and a registrant that is no longer listed', async () => {
      await run(registrantsOf('2026-01-01', { 77: ['QUAY SOFTWARE INC', 'QUAY', 'QUAB'], 78: ['LOCK CORP', 'LOCK'] }));
      await run(registrantsOf('2026-02-01', { 77: ['QUAY SOFTWARE INC', 'QUAC', 'QUAY'] }));
      expect(await shown()).toEqual([
        { name: 'LOCK CORP', lei: false, cik: 78, tickers: [] },
        { name: 'QUAY SOFTWARE INC', lei: false, cik: 77, tickers: ['QUAC', 'QUAY'] },
      ]);
      const listed = await sql<object>('SELECT slug FROM companies WHERE listed ORDER BY slug');
      expect(listed).toEqual([{ slug: 'quay-software-inc' }]);
      const again = await run(registrantsOf('2026-02-01', { 77: ['QUAY SOFTWARE INC', 'QUAC', 'QUAY'] }));
      expect(again[0]?.outcome).toBe('unchanged');
    });
  });

  it('loses its changes when its source is withheld', async () => {
    await publish('2026-01-01', FAMILY);
    await publish('2026-02-01', { ...FAMILY, relations: {}, lists: { alpha: 0 } });
    expect(await changes()).toHaveLength(1);
    await withholdSource(publisher(), 'gleif', () => NOW);
    expect(await changes()).toEqual([]);
    await publish('2026-03-01', FAMILY);
    expect(await changes()).toEqual([]);
    await sql(`UPDATE sources SET withheld = false WHERE id = 'gleif'`);
  });
});
