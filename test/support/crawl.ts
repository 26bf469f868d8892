import { LOCALES } from '../../src/domain/locale/locale.js';
import { TOOLS } from '../../src/assistants/tools/tools.js';
import { operationsOf, readDocument } from '../contract/document.js';
import { post, toolCall } from '../mcp/rpc.js';
import type { Owner } from './own.js';
import { fill, pathOf } from './paths.js';
import type { Body, TestServer } from './server.js';

export interface Answered {
  readonly address: string;
  /** A path of the specification, or the name of a tool. */
  readonly path: string;
  readonly segment: string | null;
  readonly status: number;
  readonly etag: string | null;
  readonly text: string;
  readonly body: Body;
}

/** What to request; collected before anything is withheld. */
export interface Itinerary {
  /** By path: the possible segments. */
  readonly segments: ReadonlyMap<string, readonly string[]>;
  readonly words: readonly string[];
  readonly countries: readonly string[];
  /** Days with events, changes and other content. */
  readonly days: readonly string[];
}

/** Queries for a path, in addition to the plain URL. Lists are read to their end. */
function queriesOf(path: string, { words, countries, days, segments }: Itinerary): string[] {
  const asked = words.map((word) => `q=${encodeURIComponent(word)}`);
  const around = days.map((day) => `from=${day}&to=${day}`);
  switch (path) {
    case '/api/v1/changes':
      return ['limit=100', 'status=withdrawn', ...asked, ...countries.map((one) => `country=${one}`)];
    case '/api/v1/search':
      return asked;
    case '/api/v1/companies':
      return ['limit=100', ...asked];
    case '/api/v1/ahead':
      return ['', ...around];
    case '/api/v1/markets/kind/{kind}':
      return ['', 'tf=W1', 'tf=MN'];
    case '/api/v1/macro/{indicator}':
      return [
        '',
        ...countries.map((one) => `region=${one}`),
        ...countries.slice(0, 2).map((one) => `region=${one}&vintages=all`),
        'rank=lowest&limit=100',
        ...days.slice(0, 2).map((day) => `asOf=${day}`),
      ];
    case '/api/v1/series':
      return [
        ...(segments.get('/api/v1/markets/{key}') ?? []).map((key) => `series=${key}`),
        ...(segments.get('/api/v1/macro/{indicator}') ?? []).flatMap((indicator) =>
          countries.map((one) => `series=${indicator}@${one}`),
        ),
      ];
    case '/api/v1/following/changes':
      return ['limit=100'];
    default:
      return [''];
  }
}

/**
 * Every route of the document with every segment, each list to its end, and every tool: lists in each locale, the
 * others in alternating locales.
 */
export async function* crawl(service: TestServer, owner: Owner, itinerary: Itinerary): AsyncGenerator<Answered> {
  let turn = 0;
  for (const { path: documented } of operationsOf(await readDocument(service))) {
    const path = pathOf(documented);
    const segments = path.includes('{') ? (itinerary.segments.get(path) ?? []) : [null];
    const own = path.startsWith('/api/v1/following') || path === '/api/v1/alerts';
    for (const segment of segments) {
      for (const query of queriesOf(path, itinerary)) {
        for (const locale of segment === null ? LOCALES : LOCALES.slice(turn % 3, (turn % 3) + 1)) {
          turn += 1;
          const start = `${segment === null ? path : fill(path, segment)}?locale=${locale}${query && `&${query}`}`;
          for (let cursor: string | null = ''; cursor !== null;) {
            const address: string = cursor === '' ? start : `${start}&cursor=${cursor}`;
            const { status, headers, text, body } = await (own ? owner : service).get(address);
            yield { address, path, segment, status, etag: headers.get('etag'), text, body };
            cursor = body.meta.page?.nextCursor ?? null;
          }
        }
      }
    }
  }
  yield* callTools(service, itinerary);
}

async function* callTools(service: TestServer, itinerary: Itinerary): AsyncGenerator<Answered> {
  const { words, countries, days, segments } = itinerary;
  const questions: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
    latest_changes: [
      { limit: 25 },
      ...countries.map((country) => ({ country, limit: 25 })),
      ...words.map((query) => ({ query, limit: 25 })),
    ],
    get_change: (segments.get('/api/v1/changes/{id}') ?? []).map((id) => ({ id })),
    country_heat: [{}, ...countries.map((country) => ({ country, days: 90 })), ...days.map((until) => ({ until }))],
    release_calendar: days.map((day) => ({ from: day, to: day, limit: 100 })),
    company: [
      ...(segments.get('/api/v1/companies/{slug}') ?? []).map((slug) => ({ slug })),
      ...words.map((query) => ({ query })),
    ],
    latest_brief: [{}],
    figures: (segments.get('/api/v1/macro/{indicator}') ?? []).flatMap((indicator) => [
      { indicator, limit: 60 },
      { indicator, country: countries.slice(0, 30).join(','), from: '1960' },
    ]),
    quotes: [
      ...(segments.get('/api/v1/markets/{key}') ?? []).map((instrument) => ({ instrument, limit: 260 })),
      ...(segments.get('/api/v1/markets/kind/{kind}') ?? []).map((kind) => ({ kind })),
    ],
    series: [
      ...(segments.get('/api/v1/markets/{key}') ?? []).map((series) => ({ series, limit: 260 })),
      ...(segments.get('/api/v1/macro/{indicator}') ?? []).map((series) => ({
        series,
        country: countries.slice(0, 12).join(','),
        from: '1960',
      })),
    ],
  };
  let [key, left, turn] = ['', 0, 0];
  for (const { name } of TOOLS.map(({ definition }) => definition)) {
    const asked = questions[name];
    if (asked === undefined) throw new Error(`The crawl does not know what to ask of ${name}`);
    for (const args of asked) {
      const locale = LOCALES[(turn += 1) % LOCALES.length];
      if (left === 0) [key, left] = [await service.key(), 100];
      left -= 1;
      const { status, body } = await post(service.url, toolCall(name, { ...args, locale }), { key });
      const { structuredContent, isError } = body.result ?? {};
      yield {
        address: `${name} ${JSON.stringify({ ...args, locale })}`,
        path: name,
        segment: null,
        status: isError === true ? 404 : status,
        etag: null,
        text: JSON.stringify(body),
        body: (structuredContent ?? {}) as unknown as Body,
      };
    }
  }
}

/** Every source id in a response's data. */
export function sourcesIn(value: unknown, member = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => sourcesIn(item, member));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, held]) => sourcesIn(held, name));
  }
  return ['source', 'sources', 'origins'].includes(member) && typeof value === 'string' ? [value] : [];
}
