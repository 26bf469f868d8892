import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASE } from '../../src/serve/http/openapi/examples.js';
import answers from '../../data/openapi-examples.json' with { type: 'json' };
import { withdrawChange } from '../../src/publish/versions/withdraw-change.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { ownerOf, type Owner } from '../support/own.js';
import { startTestServer, type Body, type TestServer } from '../support/server.js';
import { ResponseValidator } from './response-validator.js';
import { operationsOf, readDocument, type Document } from './document.js';

// `UPDATE_EXAMPLES=1` writes the file again; prettier then formats it.
const isUpdate = process.env['UPDATE_EXAMPLES'] === '1';
const FILE = join(__dirname, '../../data/openapi-examples.json');

const QUESTIONS: Readonly<Record<string, Readonly<Record<string, readonly [string, string]>>>> = {
  listChanges: {
    revision: ['Revisions in Japan', '/changes?country=JP&kind=revision&limit=2'],
    withdrawn: ['What was withdrawn, with status=withdrawn', '/changes?status=withdrawn&limit=1'],
  },
  getChange: { revision: ['A figure that was restated', '/changes/{id}'] },
  listCoverage: { domains: ['The first two domains', '/coverage'] },
  getCoverageDomain: { prices: ['Prices, and a page of one change', '/coverage/prices?limit=1'] },
  listTopics: { topics: ['The first two topics', '/topics'] },
  getTopic: { inflation: ['Inflation, and a page of one change', '/topics/inflation?limit=1'] },
  getEconomyBoard: { board: ['Two indicators of two economies', '/macro/board'] },
  listIndicators: { indicators: ['The indicators with figures', '/macro'] },
  listSources: { sources: ['The sources of the figures', '/sources'] },
  getMacroSeries: {
    series: ['The whole series of one region', '/macro/gdp-growth?region=JP&from=2024'],
    latest: ['The latest two periods of every region', '/macro/gdp-growth'],
    asOf: ['As known on a day before the newest vintage', '/macro/gdp-growth?region=JP&asOf=2026-04-30&from=2023'],
  },
  getSignal: { streak: ['A streak in one series', '/signals/{id}'] },
  listCompanies: { found: ['Companies whose name has a word that begins so', '/companies?q=microsoft&limit=2'] },
  getCompany: { group: ['The head of a group, with a page of one change', '/companies/microsoft-corporation?limit=1'] },
  getStructure: { group: ['Who it consolidates, one level deep', '/entities/{id}/structure?depth=1'] },
  listAhead: {
    window: ['Two events of a window', '/ahead?from=2026-12-01&to=2026-12-31&limit=2'],
    empty: ['An empty window names the nearest days', '/ahead?from=2026-07-01&to=2026-07-31'],
  },
  getAhead: { decision: ['A policy decision that is due', '/ahead/{id}'] },
  listInstruments: { quotes: ['Quotes of the first two instruments', '/markets'] },
  getInstrument: { points: ['One instrument with its last points', '/markets/eurusd?points=3'] },
  getSeries: {
    pair: ['A pair of currencies, computed', '/series?series=usdjpy&points=2'],
    yoy: [
      'Monthly means and their change on the month before',
      '/series?series=eurusd&frequency=M&transform=pop&points=2',
    ],
  },
  listBars: { bars: ['Weekly bars of exchange rates', '/markets/kind/fx?tf=W1&bars=2'] },
  getLatestBrief: { latest: ['The newest brief', '/briefs/latest'] },
  getBrief: { day: ['The brief of one day', '/briefs/2026-07-01'] },
  listFollowing: { follows: ['What the account follows', '/following'] },
  listFollowedChanges: { changes: ['The newest change of it', '/following/changes?limit=1'] },
  listAlerts: { alerts: ['An alert and when it fired', '/alerts?limit=1'] },
  searchByWords: { words: ['Two answers to a word', '/search?q=inflation&limit=2'] },
};

describe('The examples of the OpenAPI document', () => {
  let database: TestDatabase;
  let service: TestServer;
  let document: Document;
  let owner: Owner;

  beforeAll(async () => {
    database = await createTestDatabase('full');
    const publisher = await database.open('import');
    const [older] = await publisher.query<{ id: string }[]>(
      `SELECT id FROM changes WHERE kind = 'release' ORDER BY position LIMIT 1`,
    );
    await withdrawChange(publisher, older?.id ?? '', 'an example', () => new Date('2026-07-03T06:00:00Z'));
    service = await startTestServer({ database, clock: new StoppedClock('2026-11-21T12:00:00Z') });
    document = await readDocument(service);
    owner = await ownerOf(service, 'example', new Date('2026-06-01T00:00:00Z'));
    await owner.follow('country', 'JP');
    await owner.alert({ name: 'News of Japan', type: 'country', key: 'JP', metric: 'any_change' });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it('equal the shortened responses of the service to the small data set', async () => {
    const made: Record<string, Record<string, unknown>> = {};
    for (const [operation, questions] of Object.entries(QUESTIONS)) {
      for (const [name, [summary, path]] of Object.entries(questions)) {
        const { status, body } = await owner.get(`/api/v1${withId(path, operation, document)}`);
        expect({ path, status }).toEqual({ path, status: 200 });
        made[operation] = { ...made[operation], [name]: { summary, value: kept(body, service.url) } };
      }
    }
    if (isUpdate) writeFileSync(FILE, JSON.stringify(made, null, 2));
    else expect(answers).toEqual(made);
  });

  it('exist for every operation and every error, and match their schemas', () => {
    // The served document still contains the previous examples.
    if (isUpdate) return;
    const validator = new ResponseValidator(document, true);
    for (const { path, operation } of operationsOf(document)) {
      const examples = operation.responses['200']?.content?.['application/json'].examples ?? {};
      expect({ path, named: Object.keys(examples) }).toEqual({
        path,
        named: Object.keys(QUESTIONS[operation.operationId] ?? {}),
      });
      const schema = ['paths', path, 'get', 'responses', '200', 'content', 'application/json', 'schema'];
      for (const { value } of Object.values(examples)) expect(validator.faults(value, ...schema)).toEqual([]);
    }
    for (const { content } of Object.values(document.components.responses)) {
      for (const { value } of Object.values(content?.['application/json'].examples ?? {})) {
        expect(validator.faults(value, 'components', 'schemas', 'ProblemEnvelope')).toEqual([]);
      }
    }
  });
});

/** The id in the document's example of the operation's path. */
function withId(path: string, operationId: string, document: Document): string {
  const found = operationsOf(document).find(({ operation }) => operation.operationId === operationId);
  return path.replace('{id}', found?.operation.parameters.find(({ name }) => name === 'id')?.example ?? '');
}

/** Two items per list, their sources, and nothing that depends on time or place. */
function kept({ data, meta }: Body, url: string): unknown {
  const cut = shortened(data);
  const named = JSON.stringify(cut);
  const sources = meta.sources.filter(({ id }) => named.includes(`"${id}"`));
  const page = meta.page && { ...meta.page, nextCursor: meta.page.nextCursor && '6EC9iWqNBZ9PDMTJaHM5' };
  const steady = JSON.stringify({ data: cut, meta: { ...meta, sources, ...(page && { page }) } })
    .replaceAll(url, BASE)
    .replaceAll(/"(alr|fol)_[A-Za-z0-9_-]+"/g, '"$1_7vXbY0mJqR2sT4uW6zA8cE1g"')
    .replaceAll(/"(publishedAt|updatedAt|withdrawnAt)":"[^"]+"/g, '"$1":"2026-07-02T06:00:00.000Z"');
  return JSON.parse(steady) as unknown;
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));
}
