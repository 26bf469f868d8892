import { Heartbeat } from '../../src/store/heartbeat.js';
import { withdrawChange } from '../../src/publish/versions/withdraw-change.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { walk } from '../support/walk.js';

interface Item {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly status: string;
  readonly lastSeenAt: string;
}

interface Change {
  readonly id: string;
  readonly kind: string;
  readonly subject: { readonly key: string };
  readonly signals: readonly { readonly id: string; readonly title: string }[];
}

interface Signal extends Item {
  readonly summary: string;
  readonly changes: readonly Change[];
  readonly sources: readonly string[];
}

/** In the small figures, the world's unemployment rate fell for five years, as known by 2026. */
const SUBJECT = 'unemployment-rate@WLD';

describe('GET /api/v1/signals/:id', () => {
  let database: TestDatabase;
  let service: TestServer;

  beforeEach(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
  });
  afterEach(async () => {
    await service.close();
    await database.drop();
  });

  const ofTopic = async (topic: string, locale = 'en') =>
    (await service.get<{ signals: Item[] }>(`/api/v1/topics/${topic}?locale=${locale}`)).body.data.signals;
  const first = async (topic: string): Promise<Item> => {
    const [item] = await ofTopic(topic);
    if (item === undefined) throw new Error(`No signal in ${topic}`);
    return item;
  };

  it('returns one signal, which its topic and its changes name', async () => {
    const item = await first('unemployment');
    expect(item.url).toBe(`${service.url}/api/v1/signals/${item.id}`);
    const { status, body } = await service.get<Signal>(`/api/v1/signals/${item.id}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      ...item,
      title: 'World: unemployment rate (ILO modelled estimate) fell five years in a row through 2025',
      rule: 'streak',
      status: 'emerging',
      evidenceClass: 'supported',
      coverage: [{ key: 'labour', name: 'Labour market' }],
      topics: [{ slug: 'unemployment', name: 'Unemployment' }],
      countries: ['WLD'],
      evidence: { total: 6, independent: 6, publishers: 1, byLevel: { institutional: 6 } },
    });
    expect(body.data.sources).toEqual(body.meta.sources.map(({ id }) => id));
    expect(body.data.changes.length).toBeGreaterThan(0);
    for (const change of body.data.changes) {
      expect(change.subject.key).toBe(SUBJECT);
      expect(change.signals).toEqual([{ id: item.id, title: item.title }]);
    }
    const listed = await walk<Change>(service, '/api/v1/changes?country=WLD&topic=unemployment&limit=100');
    const named = listed.filter(({ signals }) => signals.some(({ id }) => id === item.id));
    expect(named.map(({ id }) => id)).toEqual(body.data.changes.map(({ id }) => id));
  });

  it.each([
    [
      'zh',
      '全球失业率（国际劳工组织模型估算）截至2025年连续5年下降',
      '数据来源：国际劳工组织（模型估算，世界银行发布）',
    ],
    [
      'ja',
      '世界の失業率（ILOモデル推計）、2025年まで5年連続で低下',
      '出典：国際労働機関（ILO）のモデル推計（世界銀行公表）',
    ],
  ])('has texts in %s', async (locale, title, source) => {
    const { id } = await first('unemployment');
    const { body } = await service.get<Signal>(`/api/v1/signals/${id}?locale=${locale}`);
    expect(body.data.title).toBe(title);
    expect(body.data.summary).toContain(source);
    expect((await ofTopic('unemployment', locale))[0]?.title).toBe(title);
  });

  it('responds with 404 to an unknown signal, and to one that its changes no longer support', async () => {
    for (const id of ['sig_nothing', 'nothing', 'chg_nothing']) {
      expect((await service.get(`/api/v1/signals/${id}`)).status).toBe(404);
    }
    const { id } = await first('unemployment');
    const { body } = await service.get<Signal>(`/api/v1/signals/${id}`);
    const release = body.data.changes.find(({ kind }) => kind === 'release');
    await withdrawChange(await database.open('import'), release?.id ?? '', 'a test', () => new Date());
    await service.server.app.get(Heartbeat).poll();
    expect((await service.get(`/api/v1/signals/${id}`)).status).toBe(404);
    expect((await ofTopic('unemployment')).map((item) => item.id)).not.toContain(id);
    expect((await service.get('/api/v1/topics/gdp')).status).toBe(200);
  });

  it('shows at most twenty signals in a topic: open ones first, newest first', async () => {
    const owner = await database.open('admin');
    await owner.query(`
      INSERT INTO signals (id, rule, subject, starts, title, summary, evidence_class, evidence_total,
        evidence_independent, evidence_publishers, evidence_levels, first_seen_on, last_seen_on, stage, current_days,
        status, data_version)
      SELECT 'sig_' || lpad(n::text, 2, '0'), 'streak', 's' || n, '2020', g.title, g.summary, 'supported', 2, 2, 1, '{}',
        date '2026-01-01' + n, date '2026-01-01' + n, 'active', 99, CASE WHEN n < 15 THEN 'active' ELSE 'closed' END,
        g.data_version
      FROM generate_series(1, 30) n CROSS JOIN (SELECT * FROM signals LIMIT 1) g`);
    await owner.query(`INSERT INTO signal_topics SELECT 'reserves', id, rank FROM signals WHERE id LIKE 'sig\\___'`);
    const items = await ofTopic('reserves');
    expect(items.map(({ id }) => Number(id.slice(4)))).toEqual([
      ...Array.from({ length: 14 }, (_, at) => 14 - at),
      ...Array.from({ length: 6 }, (_, at) => 30 - at),
    ]);
    // A closed signal moves behind those that are not closed.
    await owner.query(`UPDATE signals SET status = 'closed' WHERE id = 'sig_14'`);
    const last = await owner.query<{ signal: string }[]>(
      `SELECT signal FROM signal_topics WHERE topic = 'reserves' ORDER BY rank LIMIT 1`,
    );
    expect(last).toEqual([{ signal: 'sig_14' }]);
  });
});
