import { firstDayOf, shiftedDay } from '../../src/domain/figures/periods.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { post, toolCall, type ToolResult } from './rpc.js';

interface Point {
  readonly period: string;
  readonly value: number;
  readonly knownSince: string;
  readonly knownUntil?: string | null;
}

describe('A price that its publisher restated', () => {
  let database: TestDatabase;
  let service: TestServer;
  let restated: { readonly period: string; readonly day: string; readonly before: string };

  beforeAll(async () => {
    database = await createTestDatabase('full');
    const owner = await database.open('admin');
    const [row] = await owner.query<(typeof restated)[]>(
      `WITH one AS (
         SELECT o.series_id, o.period, o.valid_from FROM observations o JOIN series s ON s.id = o.series_id
         WHERE s.instrument = 'brent' AND o.valid_to IS NULL ORDER BY o.period DESC OFFSET 3 LIMIT 1
       ), earlier AS (
         INSERT INTO observations (series_id, period, valid_from, valid_to, value, source_id, withheld, data_version)
         SELECT series_id, period, o.valid_from - 9, o.valid_from, 39.5, o.source_id, o.withheld, o.data_version
         FROM observations o JOIN one USING (series_id, period, valid_from)
       )
       SELECT period, valid_from::text AS day, (valid_from - 1)::text AS before FROM one`,
    );
    if (row === undefined) throw new Error('No price to restate');
    restated = row;
    service = await startTestServer({ database });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const points = async (query: string): Promise<readonly Point[]> => {
    const window = `from=${restated.period}&to=${restated.period}`;
    const path = `/api/v1/markets/brent?${window}${query}`;
    return (await service.get<{ points: readonly Point[] }>(path)).body.data.points;
  };

  it('has all its values with the days between which each was known', async () => {
    const { period, day, before } = restated;
    expect(await points('&vintages=all')).toMatchObject([
      { period, value: 39.5, knownUntil: day },
      { period, knownSince: day, knownUntil: null },
    ]);
    expect(await points(`&vintages=all&asOf=${before}`)).toMatchObject([{ value: 39.5, knownUntil: null }]);
    const [current, ...none] = await points('');
    expect([current?.knownSince, current?.knownUntil, none]).toEqual([day, undefined, []]);
  });

  it('has all its values in the tool too, in one call for its day', async () => {
    const { period } = restated;
    const call = toolCall('quotes', { instrument: 'brent', from: period, to: period });
    const { body } = await post(service.url, call, { key: await service.key() });
    const { content, structuredContent } = body.result as ToolResult;
    expect(content[0]?.text).toMatch(/\$39\.50 a barrel for [^;]+ \(known from [^)]+ to [^)]+\)/);
    expect(structuredContent).toMatchObject({
      data: { points: [{ period, value: 39.5, knownUntil: restated.day }, { period }] },
    });
  });

  it('has the stored average of a month in which no daily close is stored', async () => {
    const owner = await database.open('admin');
    await owner.query(
      `INSERT INTO observations (series_id, period, valid_from, value, source_id, withheld, data_version)
       SELECT o.series_id, '1999-01', o.valid_from, 11.11, o.source_id, o.withheld, o.data_version
       FROM observations o JOIN series s ON s.id = o.series_id
       WHERE s.instrument = 'brent-monthly-average' AND o.valid_to IS NULL LIMIT 1`,
    );
    const call = toolCall('quotes', { instrument: 'brent', timeframe: 'MN', from: '1999-01', to: '1999-01' });
    const { body } = await post(service.url, call, { key: await service.key() });
    const { content } = body.result as ToolResult;
    expect(content[0]?.text).toMatch(/the averages that the source prints[^]*\$11\.11 a barrel for January 1999/);
  });

  it('is averaged by its source, where the stored days do not reach as far', async () => {
    const averages = async (args: Record<string, unknown>) => {
      const call = toolCall('series', { series: 'brent', frequency: 'M', limit: 1, ...args });
      const { body } = await post(service.url, call, { key: await service.key() });
      return (body.result as ToolResult).content[0]?.text;
    };
    expect(await averages({ from: '1999-01', to: '1999-01' })).toMatch(
      /the averages that the source prints[^]*brent-monthly-average[^]*\$11\.11 a barrel/,
    );
    expect(await averages({ from: '2026-07-01' })).not.toContain('the averages that the source prints');
    expect(await averages({ aggregate: 'high' })).not.toContain('brent-monthly-average');
  });

  it('has a week or a month by any of its days', async () => {
    const ask = async (query: object) => {
      const call = toolCall('quotes', { instrument: 'brent-weekly-average', ...query });
      const { body } = await post(service.url, call, { key: await service.key() });
      return (body.result as ToolResult).structuredContent as { data: { points: { period: string }[] } };
    };
    const { period } = (await ask({ limit: 1 })).data.points[0] ?? { period: '' };
    const day = firstDayOf(period);
    expect((await ask({ from: day, to: shiftedDay(day, 3) })).data.points).toMatchObject([{ period }]);
    expect((await ask({ from: shiftedDay(day, 2), to: shiftedDay(day, 2) })).data.points).toMatchObject([{ period }]);
  });
});
