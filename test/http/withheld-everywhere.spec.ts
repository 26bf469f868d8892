// runs: in full only
import { DataSource } from 'typeorm';
import { Heartbeat } from '../../src/store/heartbeat.js';
import { nextPeriod } from '../../src/domain/figures/periods.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import { gleif } from '../../src/publish/publishers/gleif/gleif.importer.js';
import { withholdSource } from '../../src/publish/versions/withhold-source.js';
import { deliveryOf, OWN, type Figures } from '../publishing/deliveries.js';
import { groupOf, type Group } from '../publishing/registers.js';
import { belongingsOf, DISAGREEMENTS, leaksInTables, tracesOf, type Belongings } from '../support/belongings.js';
import { crawl, sourcesIn, type Answered, type Itinerary } from '../support/crawl.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exhaustively } from '../support/exhaustive.js';
import { ownerOf, type Owner } from '../support/own.js';
import { segmentsIn } from '../support/paths.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

// Sends many requests, and the machine may be busy.
jest.setTimeout(600_000);

const now = () => new Date('2026-11-20T12:00:00Z');
/** How many items the test requests by name: of the source itself, and of other sources. */
const [OWN_MOST, OTHERS_MOST] = [12, 8];
/** Sources of prices, of calendars, of registers, and one whose figures are in another's files. */
const SOURCES = exhaustively(['ecb', 'bls', 'gleif', 'ilo-modelled', 'frb', 'sec'], ['ecb']);
const GIVEN = ['/api/v1/following', '/api/v1/following/changes', '/api/v1/alerts'];
const FAMILY: Group = {
  entities: { alpha: {}, beta: {}, gamma: { country: 'FR' } },
  relations: { 'beta alpha': {} },
  lists: { alpha: 1 },
};

describe.each(SOURCES)('The source %s', (source) => {
  let database: TestDatabase;
  let service: TestServer;
  let publisher: DataSource;
  let reader: DataSource;
  let owner: Owner;
  let own: Belongings;
  let itinerary: Itinerary;
  let before: Map<string, Answered>;
  let second: Pick<Answered, 'path' | 'address'>[];

  beforeAll(async () => {
    database = await createTestDatabase('full');
    service = await startTestServer({ database });
    publisher = await database.open('import');
    reader = service.server.app.get(DataSource);
    owner = await ownerOf(service, 'ada');
    await register('2026-11-16', FAMILY);
    await setFollowing(await belongingsOf(publisher, source));
    await moveOn('2026-11-18');
    await register('2026-11-18', {
      ...FAMILY,
      relations: { 'beta alpha': {}, 'gamma alpha': {} },
      lists: { alpha: 2 },
    });
    await service.server.app.get(Heartbeat).poll();
    own = await belongingsOf(publisher, source);
    itinerary = await plan();
    before = await answers();
    second = await secondPages();
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const register = async (day: string, group: Group) => {
    await importFiles(publisher, gleif, [groupOf(day, group)], { accept: 'a test', now });
  };

  /** Publishes the newest figure of some series, half as large again, and a figure of the next period. */
  async function moveOn(day: string): Promise<void> {
    const rows = await publisher.query<{ key: string; period: string; value: string }[]>(
      `SELECT coalesce(s.instrument, s.indicator || ' ' || s.region) AS key, o.period, o.value::float8 AS value
         FROM (SELECT *, row_number() OVER (PARTITION BY $1 = ANY (origins || source_id), source_id ORDER BY id) AS place
               FROM series) s
           CROSS JOIN LATERAL (SELECT * FROM observations o WHERE o.series_id = s.id AND o.valid_to IS NULL
             ORDER BY period DESC LIMIT 1) o
         WHERE place <= 6`,
      [source],
    );
    const figures: Figures = Object.fromEntries(
      rows.map(({ key, period, value }) => {
        const moved = (Number(value) * 1.5 + 1).toFixed(2);
        return [key, { [period]: moved, [nextPeriod(period)]: moved }];
      }),
    );
    await importFiles(publisher, OWN, [deliveryOf(day, { figures })], { accept: 'a test', now });
  }

  async function setFollowing({ series, instruments, segments }: Belongings): Promise<void> {
    const [company] = segments.get('/api/v1/companies/{slug}') ?? [];
    const [entity] = segments.get('/api/v1/entities/{id}/structure') ?? [];
    for (const [type, key] of [
      ...([
        ['country', 'US'],
        ['coverage', 'currency'],
        ['coverage', 'labour'],
        ['country', 'DE'],
      ] as const),
      ...series.slice(0, 6).map((one) => ['series', one] as const),
      ...series.slice(0, 1).map((one) => ['indicator', one.split('@')[0] ?? ''] as const),
      ...instruments.slice(0, 6).map((one) => ['instrument', one] as const),
      ...(company === undefined ? [] : [['company', company] as const]),
      ...(entity === undefined ? [] : [['entity', entity] as const]),
    ]) {
      await owner.follow(type, key);
      await owner.alert({ type, key, metric: 'any_change', name: 'any' });
      if (type !== 'series' && type !== 'instrument') continue;
      const [newest] = await publisher.query<{ threshold: string }[]>(
        `SELECT round(o.value * 1.2 + 0.5, 2)::text AS threshold FROM series s JOIN observations o ON o.series_id = s.id
         WHERE coalesce(s.instrument, s.indicator || '@' || s.region) = $1 AND o.valid_to IS NULL
         ORDER BY o.period DESC LIMIT 1`,
        [key],
      );
      const threshold = newest?.threshold ?? '1';
      await owner.alert({ type, key, metric: 'value_above', threshold, name: 'above' });
    }
  }

  async function plan(): Promise<Itinerary> {
    const all = await segmentsIn(publisher, 100_000);
    const segments = [...all].map(([path, known]): [string, string[]] => {
      const mine = own.segments.get(path) ?? [];
      const others = known.filter((one) => !mine.includes(one));
      return [path, [...mine.slice(-OWN_MOST), ...others.slice(0, OTHERS_MOST)]];
    });
    const days = await publisher.query<{ day: string }[]>(
      `SELECT DISTINCT scheduled_on::text AS day FROM calendar_events WHERE id = ANY ($1) LIMIT 4`,
      [own.segments.get('/api/v1/ahead/{id}')],
    );
    return {
      segments: new Map(segments),
      words: [...own.names.slice(0, 4), 'unemployment', 'alpha'],
      countries: ['US', 'DE', 'EMU'],
      days: [...days.map(({ day }) => day), '2026-11-18'],
    };
  }

  /** By URL. Each is a correct response, which names its sources with their licences. */
  async function answers(): Promise<Map<string, Answered>> {
    const all = new Map<string, Answered>();
    const wrong: object[] = [];
    for await (const answered of crawl(service, owner, itinerary)) {
      const { address, path, status, body } = answered;
      all.set(address, answered);
      if (status !== 200) continue;
      const sources = body.meta.sources as unknown as { id: string; attribution: string; licence?: { url?: string } }[];
      const named = sources.map(({ id }) => id);
      // The list of sources is the one place where they are the items.
      const listed = path === '/api/v1/sources' ? (body.data as { id: string }[]).map(({ id }) => id) : [];
      const ids = [...new Set([...sourcesIn(body.data), ...listed])].sort();
      // A tool's attribution may name the licence itself.
      const licensed = sources.every(({ licence, attribution }) =>
        licence === undefined ? /CC BY|CC0/.test(attribution) : licence.url !== undefined,
      );
      if (ids.join() !== named.join() || !licensed) wrong.push({ address, ids, named });
    }
    expect(wrong).toEqual([]);
    return all;
  }

  /** The second page of every list with more than one item. */
  async function secondPages(): Promise<typeof second> {
    const found: typeof second = [];
    for (const { path, address, status, body } of before.values()) {
      if (status !== 200 || body.meta.page === undefined || !address.includes('locale=en')) continue;
      if (!address.startsWith('/') || address.includes('&cursor=')) continue;
      const start = `${address.replace('&limit=100', '')}&limit=1`;
      const { nextCursor } = (await (GIVEN.includes(path) ? owner : service).get(start)).body.meta.page ?? {};
      if (nextCursor != null) found.push({ path, address: `${start}&cursor=${nextCursor}` });
    }
    return found;
  }

  const leaksIn = (
    all: Iterable<Pick<Answered, 'address' | 'path' | 'text'>>,
  ): { address: string; traces: string[] }[] => {
    const [bare, given] = [tracesOf(own, false), tracesOf(own, true)];
    return [...all].flatMap(({ address, path, text }) => {
      // What the request names is no trace.
      const traces = ([...GIVEN, '/api/v1/series', 'series'].includes(path) ? given : bare).filter((trace) =>
        text.includes(trace),
      );
      return traces.length === 0 ? [] : [{ address, traces: traces.slice(0, 3) }];
    });
  };

  const isOwn = ({ path, segment }: Answered): boolean =>
    segment !== null && own.segments.get(path)?.includes(segment) === true;
  /** URLs of the source's own items that still respond. */
  const there = (all: Iterable<Answered>): string[] =>
    [...all].filter((one) => isOwn(one) && one.status !== 404).map(({ address }) => address);

  async function expectNothing(): Promise<void> {
    const all = [...(await answers()).values()];
    expect(leaksIn(all)).toEqual([]);
    expect(there(all)).toEqual([]);
    expect(await leaksInTables(reader, own)).toEqual([]);
    const disagreeing: string[] = [];
    for (const [name, sql] of Object.entries(DISAGREEMENTS)) {
      const rows = await reader.query<object[]>(sql);
      if (rows.length > 0) disagreeing.push(`${name}: ${String(rows.length)}`);
    }
    expect(disagreeing).toEqual([]);
  }

  it('appears in responses while it may be served', async () => {
    const paths = new Set(leaksIn(before.values()).map(({ address }) => before.get(address)?.path));
    const figures = own.series.length + own.instruments.length > 0;
    const told = figures ? ['/api/v1/changes/{id}', '/api/v1/briefs/{date}', '/api/v1/alerts'] : ['/api/v1/companies'];
    expect([...paths]).toEqual(expect.arrayContaining(told));
    expect(there(before.values()).length).toBe([...before.values()].filter(isOwn).length);
    expect((await leaksInTables(reader, own)).length).toBeGreaterThan(0);
  });

  it('appears in no response, table or count once an instance knows that it is withheld', async () => {
    const kept = '/api/v1/changes?locale=en&limit=100';
    const heard = before.get(kept)?.body.meta.dataVersion;
    expect(heard).toBeGreaterThan(0);
    await withholdSource(publisher, source, now);
    // The cache keeps the response until the heartbeat reads the new data version.
    await until(60_000, 'the new publication', async () => {
      const { status, body } = await service.get(kept);
      return status === 200 && body.meta.dataVersion !== heard;
    });
    await expectNothing();
  });

  it('cannot be reached by an earlier cursor or ETag', async () => {
    const later: Pick<Answered, 'address' | 'path' | 'text'>[] = [];
    for (const { path, address } of second) {
      const { status, text } = await (GIVEN.includes(path) ? owner : service).get(address);
      later.push({ path, address, text });
      expect({ address, status }).toEqual({ address, status: 200 });
    }
    expect(leaksIn(later)).toEqual([]);
    const told = leaksIn(before.values()).flatMap(({ address }) => before.get(address) ?? []);
    for (const { path, address, etag } of told.filter((one) => one.etag !== null)) {
      const headers = { 'if-none-match': etag ?? '' };
      const { status } = await (GIVEN.includes(path) ? owner : service).get(address, undefined, { headers });
      expect({ address, known: status === 304 }).toEqual({ address, known: false });
    }
  });

  it('appears nowhere after another publication with figures of it', async () => {
    await moveOn('2026-11-19');
    await register('2026-11-19', { ...FAMILY, lists: { alpha: 1 } });
    await service.server.app.get(Heartbeat).poll();
    await expectNothing();
  });
});
