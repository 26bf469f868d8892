// runs: in full only
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { loadStarter } from '../../src/publish/starter/load-starter.js';
import { operationsOf, readDocument } from '../contract/document.js';
import { openScratchDatabase, type ScratchDatabase } from '../publishing/scratch-database.js';
import { StoppedClock } from '../support/clock.js';
import type { Template } from '../support/database.js';
import { exhaustively, IS_EXHAUSTIVE } from '../support/exhaustive.js';
import { ownerOf, type Owner } from '../support/own.js';
import { fill, pathOf, REQUIRED, segmentsIn } from '../support/paths.js';
import { startTestServer, type TestServer } from '../support/server.js';

// Loading the set takes half a minute: without it, the suite asks the template that has content for every route.
jest.setTimeout(400_000);

const STARTER = join(__dirname, '../../data/starter');

const LOADED = '2026-11-23T09:00:00Z';
const DAYS = exhaustively(
  ['2026-11-23', '2026-12-09', '2027-03-06', '2027-08-07', '2028-02-29', '2028-11-22'],
  ['2026-11-23', '2028-02-29'],
);
const DAY = 86_400_000;

/** Routes whose items have no figures of their own; an account's follows and alerts are what it set. */
const WITHOUT_FIGURES = [
  '/api/v1/topics',
  '/api/v1/coverage',
  '/api/v1/companies',
  '/api/v1/companies/{slug}',
  '/api/v1/entities/{id}/structure',
  '/api/v1/following',
  '/api/v1/alerts',
  '/api/v1/search',
];

interface ReadChange {
  readonly id: string;
  readonly subject: { readonly key: string };
  readonly figure: { readonly period: string } | null;
}

interface PastEvent {
  readonly indicator: { readonly slug: string };
  readonly actual: { readonly value: number | null };
  readonly previous: { readonly value: number | null };
}

interface Answer {
  readonly status: number;
  readonly body: {
    readonly data: unknown;
    readonly meta: {
      readonly notices?: readonly unknown[];
      readonly nearest?: { readonly before: string | null; readonly after: string | null } | null;
    };
  };
}

const hasFigure = (data: unknown): boolean => /"value":-?\d/.test(JSON.stringify(data));
const hasItems = (data: unknown): boolean => (Array.isArray(data) ? data.length > 0 : data !== null);
/** A notice, the nearest days that have something, or the reason beside each missing figure. */
const saysWhyNot = ({ data, meta }: Answer['body']): boolean =>
  (meta.notices ?? []).length > 0 ||
  (meta.nearest ?? null) !== null ||
  /"missing":"(?:not_held|awaited)"/.test(JSON.stringify(data));

describe(exhaustively('A start with the starter set', 'A service with a little of everything'), () => {
  let scratch: ScratchDatabase;
  let service: TestServer;
  let owner: Owner;
  let paths: string[];
  let segments: ReadonlyMap<string, string[]>;
  const clock = new StoppedClock(LOADED);

  beforeAll(async () => {
    scratch = await openScratchDatabase(exhaustively<Template>('empty', 'full'));
    if (IS_EXHAUSTIVE) await loadStarter(scratch.publisher, STARTER, () => new Date(LOADED));
    service = await startTestServer({ database: scratch.database, clock });
    owner = await ownerOf(service, 'any-day');
    await owner.follow('country', 'US');
    await owner.alert({ type: 'country', key: 'US', metric: 'any_change' });
    paths = operationsOf(await readDocument(service)).map(({ path }) => pathOf(path));
    segments = await segmentsIn(service.server.app.get(DataSource), 1);
  });
  afterAll(async () => {
    await service.close();
    await scratch.close();
  });

  const ask = async (path: string): Promise<Answer> => {
    // Longer than the rolling minute of the plan.
    clock.advance(1_000);
    const [segment = ''] = segments.get(path) ?? [];
    return await owner.get(`${fill(path, segment)}${REQUIRED[path] ?? ''}`);
  };

  it.each(DAYS)('answers every route by its defaults on %s with a figure, or says why it has none', async (day) => {
    clock.advance(Date.parse(`${day}T09:00:00Z`) - clock.wall() + (day === DAYS[0] ? 0 : DAY));
    const wrong: object[] = [];
    for (const path of paths) {
      const { status, body } = await ask(path);
      const fine = WITHOUT_FIGURES.includes(path) ? hasItems(body.data) : hasFigure(body.data) || saysWhyNot(body);
      if (status !== 200 || !fine) wrong.push({ path, status, meta: body.meta });
    }
    expect(wrong).toEqual([]);
  });

  (IS_EXHAUSTIVE ? it : it.skip)('has past releases, with what came out and what was before', async () => {
    const path = '/api/v1/ahead?from=2024-10-01&to=2025-01-31';
    const { body } = await owner.get<readonly PastEvent[]>(path);
    const figures = body.data.map(({ indicator, actual, previous }) => [
      indicator.slug,
      typeof actual.value,
      typeof previous.value,
    ]);
    for (const slug of ['consumer-price-index', 'nominal-gdp-annual-rate', 'policy-rate-upper'])
      expect(figures).toContainEqual([slug, 'number', 'number']);
    expect(figures.flat().filter((one) => one === 'object')).toEqual([]);
  });

  (IS_EXHAUSTIVE ? it : it.skip)('has the year before among what a change of a monthly index reads', async () => {
    const { body } = await owner.get<readonly ReadChange[]>('/api/v1/changes?kind=release&country=US&limit=50');
    const change = body.data.find(({ subject }) => subject.key === 'consumer-price-index@US');
    const period = change?.figure?.period ?? '';
    const { text } = await service.get(`/changes/${change?.id ?? ''}/receipt.json`, null);
    const before = `${Number(period.slice(0, 4)) - 1}${period.slice(4)}`;
    const receipt = JSON.parse(text) as { readonly data: { readonly inputs: readonly object[] } };
    const series = await service.get('/macro/consumer-price-index/US?locale=en', null);
    expect(series.text).toMatch(/[+-]\d+\.\d+% on the year<\/span>/);
    expect(receipt.data.inputs).toContainEqual(expect.objectContaining({ period: before, role: 'evidence' }));
  });

  it.each(DAYS)('names the nearest days of its calendar on %s, if it has no event', async (day) => {
    const { body } = (await owner.get<object[]>(`/api/v1/ahead?from=${day}&to=${day}`)) as unknown as Answer;
    clock.advance(1_000);
    const { nearest } = body.meta;
    expect(hasItems(body.data) || (nearest?.before ?? nearest?.after ?? null) !== null).toBe(true);
  });
});
