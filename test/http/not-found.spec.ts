import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type Reply, type TestServer } from '../support/server.js';

let database: TestDatabase;
let service: TestServer;

beforeAll(async () => {
  database = await createTestDatabase('full');
  service = await startTestServer({ database });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const faultOf = ({ body }: Reply) => body.error?.errors?.[0];

describe('A 404', () => {
  it.each([
    ['/api/v1/topics/inflaton', 'slug', 'There is no topic `inflaton`.', 'inflation'],
    ['/api/v1/coverage/price', 'key', 'There is no coverage domain `price`.', 'prices'],
    ['/api/v1/macro/cpi-inflaton', 'indicator', 'There is no indicator `cpi-inflaton`.', 'cpi-inflation'],
    ['/api/v1/markets/eurusdd', 'key', 'There is no market instrument `eurusdd`.', 'eurusd'],
    ['/api/v1/markets/kind/forex?tf=D1', 'kind', 'There is no group of instruments `forex`.', 'fx'],
    ['/api/v1/topcs', 'path', 'There is no path `/api/v1/topcs`.', '/api/v1/topics'],
    ['/api/v1/mcp/', 'path', 'There is no path `/api/v1/mcp/`.', '/api/v1/mcp'],
    ['/api/v1/changes/', 'path', 'There is no path `/api/v1/changes/`.', '/api/v1/changes'],
    ['/api/v1/topcs/inflation', 'path', 'There is no path `/api/v1/topcs/inflation`.', '/api/v1/topics/inflation'],
  ])('names the unknown thing and its nearest neighbours: %s', async (path, parameter, message, near) => {
    const reply = await service.get(path);
    expect([reply.status, reply.body.error?.code]).toEqual([404, 'not_found']);
    expect(faultOf(reply)).toMatchObject({ parameter, message: expect.stringContaining(message) as string });
    expect(faultOf(reply)?.allowed).toContain(near);
    expect(reply.body.error?.detail).toMatch(new RegExp(`^${message.replace(/[.]/g, '\\.')} Nearest: .*\`${near}\``));
  });

  it('names the companies with similar names', async () => {
    const { body } = await service.get<{ slug: string }[]>('/api/v1/companies?limit=1');
    const slug = body.data[0]?.slug ?? '';
    const reply = await service.get(`/api/v1/companies/${slug}x`);
    expect(faultOf(reply)).toMatchObject({
      parameter: 'slug',
      message: `There is no company \`${slug}x\`. Nearest: \`${slug}\`.`,
      allowed: expect.arrayContaining([slug]) as unknown,
    });
  });

  it.each([
    ['/api/v1/changes/chg_none', 'No change has the ID `chg_none`.'],
    ['/api/v1/changes/none', 'No change has the ID `none`.'],
    ['/api/v1/signals/sig_none', 'There is no signal `sig_none`.'],
    ['/api/v1/entities/ent_none/structure', 'There is no entity `ent_none`.'],
    ['/api/v1/ahead/evt_none', 'There is no calendar event `evt_none`.'],
    ['/api/v1/topics/INFLATION!', 'There is no topic `INFLATION!`.'],
    [`/api/v1/topics/${'x'.repeat(100)}`, `There is no topic \`${'x'.repeat(64)}…\`.`],
    ['/api/v1/topics/a%0Ab', 'There is no topic `a b`.'],
  ])('names the unknown thing if nothing is near: %s', async (path, message) => {
    const reply = await service.get(path);
    expect(reply.status).toBe(404);
    expect(faultOf(reply)).toMatchObject({ message });
    expect(reply.body.error?.detail).toMatch(message.startsWith('There is no topic') ? /^There/ : /\.$/);
  });

  it('names the neighbouring days of a brief', async () => {
    const { body } = await service.get<{ date: string; previousDate: string }>('/api/v1/briefs/latest');
    const { date, previousDate } = body.data;
    const after = await service.get('/api/v1/briefs/9999-12-31');
    expect([after.status, faultOf(after)?.allowed]).toEqual([404, [date]]);
    const dayBefore = new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);
    expect(dayBefore).not.toBe(previousDate);
    const between = await service.get(`/api/v1/briefs/${dayBefore}?locale=ja`);
    expect(faultOf(between)?.allowed).toEqual([previousDate, date]);
    expect(between.body.error?.detail).toBe(
      `\`${dayBefore}\`のブリーフはありません。近い候補：\`${previousDate}\`、\`${date}\`。`,
    );
  });

  it('never names content of a withheld source', async () => {
    const { body } = await service.get('/api/v1/macro/nothing-like-it-at-all');
    expect(body.error?.errors?.[0]?.allowed ?? []).toEqual([]);
  });
});

describe('A distant day', () => {
  it.each(['0001-01-01', '0999-12-31', '1000-02-28', '2999-01-01', '9999-12-31'])(
    'is an ordinary day without content: %s',
    async (day) => {
      expect((await service.get(`/api/v1/briefs/${day}`)).status).toBe(404);
      const empty = [`/changes?since=${day}&until=${day}`, `/ahead?from=${day}&to=${day}`, `/ahead?from=${day}`];
      const series = [`/macro/cpi-inflation?from=${day}&to=${day}`, `/macro/cpi-inflation?to=${day}&from=0001`];
      for (const path of [...empty, `/changes?since=${day}T23:59:59Z`, `/changes?publishedSince=${day}`, ...series]) {
        const { status } = await service.get(`/api/v1${path}`);
        expect({ path, status }).toEqual({ path, status: 200 });
      }
      expect((await service.get<unknown[]>(`/api/v1${empty[0] ?? ''}`)).body.data).toEqual([]);
      expect((await service.get<unknown[]>(`/api/v1${empty[1] ?? ''}`)).body.data).toEqual([]);
    },
  );

  it.each(['0000-01-01', '10000-01-01', '0001-02-29', '9999-13-01', '1-1-1'])(
    'is refused if it is invalid: %s',
    async (day) => {
      expect((await service.get(`/api/v1/briefs/${day}`)).body.error?.code).toBe('invalid_parameter');
      expect((await service.get(`/api/v1/macro/cpi-inflation?from=${day}`)).status).toBe(400);
      expect((await service.get(`/api/v1/changes?since=${day}`)).status).toBe(400);
    },
  );

  it('is refused as a vintage while it is in the future', async () => {
    const { body } = await service.get('/api/v1/macro/cpi-inflation?asOf=9999-12-31');
    expect(body.error?.errors).toEqual([{ parameter: 'asOf', message: '`asOf` lies in the future.' }]);
    const first = await service.get<{ series: unknown[] }>('/api/v1/macro/cpi-inflation?asOf=0001-01-01');
    expect([first.status, first.body.data.series]).toEqual([200, []]);
  });
});
