import { importFiles } from '../../src/publish/import/import-files.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { delivery, figures } from '../support/deliveries.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { post, toolCall } from './rpc.js';

describe('Policy rates in the tools', () => {
  let database: TestDatabase;
  let service: TestServer;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase('empty');
    const rates = (...lines: string[]) => figures(...lines.map((line) => `policy-rate-upper@US ${line}`));
    const deliveries = [
      delivery('2025-01-31', rates('2024-09-19 5.00', '2024-11-08 4.75')),
      delivery('2025-02-10', rates('2024-12-19 4.50')),
      delivery('2025-10-31', rates('2025-09-18 4.25', '2025-10-30 4.00')),
    ];
    const now = () => new Date('2025-11-01T18:00:00Z');
    await importFiles(await database.open('import'), { publisher: 'starter' }, deliveries, { accept: 'a test', now });
    service = await startTestServer({ database, clock: new StoppedClock('2025-11-29T12:00:00Z') });
    key = await service.key();
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const textOf = async (tool: string, args: Record<string, unknown>): Promise<string> =>
    (await post(service.url, toolCall(tool, args), { key })).body.result?.content[0]?.text ?? '';

  it.each([
    ['rate hike', 'en'],
    ['Fed hikes rates', 'en'],
    ['加息', 'zh'],
    ['利上げ', 'ja'],
  ])('have no cut for %s without a notice', async (query, locale) => {
    expect(await textOf('latest_changes', { query, locale })).toMatch(/^(?:Must be shown|须随数据展示|必ず併記する文)/);
  });

  it.each([
    ['rate cut', 'en'],
    ['Fed cuts rates', 'en'],
    ['降息', 'zh'],
    ['利下げ', 'ja'],
    ['Fed', 'en'],
  ])('have the cuts for %s', async (query, locale) => {
    const text = await textOf('latest_changes', { query, locale });
    expect(text).toMatch(/^1\. /m);
    expect(text).not.toMatch(/^(?:Must be shown|须随数据展示|必ず併記する文)/);
  });

  it.each([
    [{ level: 4.5 }, /longest run above: 91 or more, 19 September 2024 to 18 December 2024/],
    [{ level: 4.5 }, /last above: 4\.75% for 18 December 2024/],
    [{ level: 4.25 }, /last above: 4\.50% for 17 September 2025/],
    [{ level: 4.5, frequency: 'M', aggregate: 'last' }, /Figures: 15, September 2024 to November 2025/],
    [{ level: 4.5, frequency: 'M', aggregate: 'last' }, /above 3, equal 9, below 3/],
    [{ frequency: 'M', from: '2025-09', to: '2025-09' }, /4\.39% \[4\.39166666667\] for September 2025/],
    [{ from: '2025-06', to: '2025-08' }, /^ {2}4\.50% for 19 December 2024$/m],
    [{ transform: 'change', level: 0 }, /longest run below: 4 or more, 8 November 2024 to 30 October 2025/],
  ])('hold in %j until the next decision', async (args, expected) => {
    const text = await textOf('series', { series: 'fed funds rate', ...args });
    expect(text).toMatch(expected);
    expect(text).not.toMatch(/Must be shown: No/);
  });

  it.each(['2025-03-01', '2025-06-30', '2025-09-17'])('are up to date on %s, between two decisions', async (asOf) => {
    const texts = await Promise.all([
      textOf('figures', { indicator: 'policy-rate-upper', country: 'US', asOf }),
      textOf('series', { series: 'policy-rate-upper@US', asOf }),
    ]);
    for (const text of texts) {
      expect(text).toMatch(/4\.50% for 19 December 2024/);
      expect(text).not.toMatch(/Must be shown: No/);
    }
  });
});
