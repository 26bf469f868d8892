// runs: in full only
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type Body, type TestServer } from '../support/server.js';

const FOLDER = join(__dirname, '../../examples');
const run = promisify(execFile);

interface Observed {
  readonly series: readonly { readonly observations: readonly { period: string; value: number | null }[] }[];
}

describe('The examples', () => {
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

  async function printed(script: string, ...rest: string[]): Promise<string> {
    const { stdout } = await run(process.execPath, [join(FOLDER, script), service.url, ...rest], {
      env: { ...process.env, TIDEMARK_KEY: await service.key() },
    });
    return stdout;
  }

  it('make a dashboard with its sources in at most five requests and 40 lines', async () => {
    service.lines.length = 0;
    const page = await printed('dashboard/dashboard.mjs');
    const requests = service.lines.filter((line) => line.includes('"route":"/api/v1'));
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.length).toBeLessThanOrEqual(5);
    expect(requests.filter((line) => !line.includes('"status":200'))).toEqual([]);
    const code = readFileSync(join(FOLDER, 'dashboard/dashboard.mjs'), 'utf8').trimEnd();
    expect(code.split('\n').length).toBeLessThanOrEqual(40);
    expect(page).toMatch(/<h2>Japan<\/h2>.*<p>-?[\d.]+% \(\d{4}\)<\/p>/);
    expect(page).toMatch(/<path d="M[\d.]+,[\d.]+L/);
    expect(page).not.toMatch(/NaN|undefined/);
    const { body } = await service.get('/api/v1/markets/eurusd?points=1');
    for (const { attribution } of body.meta.sources) expect(page).toContain(attribution);
  });

  it('know on a day exactly what the service knew as of that day', async () => {
    const day = '2026-04-30';
    const text = await printed('vintages/look-ahead.mjs', 'gdp-growth', 'JP', day);
    const path = `/api/v1/macro/gdp-growth?region=JP&asOf=${day}`;
    const { body }: { body: Body<Observed> } = await service.get<Observed>(path);
    const known = body.data.series.flatMap(({ observations }) =>
      observations.flatMap(({ period, value }) => (value === null ? [] : [`${period} ${value}`])),
    );
    expect(known.length).toBeGreaterThan(0);
    expect(text).toContain(`Known on ${day}: ${known.join(', ')}\n`);
    expect(text).toMatch(/[1-9]\d* of \d+ figures were revised/);
  });
});
