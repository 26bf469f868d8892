// Calls of a client's author, against types generated from the published document. Compiling shows that responses have
// the types that clients rely on; running shows that the routes exist and respond as documented.
import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { components, paths } from './.made/api.js';

type Schemas = components['schemas'];
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Does not compile if the type differs: the schema then breaks its clients. */
function holds<_Statement extends true>(): void {
  return;
}

holds<Same<Schemas['Figure']['value'], number | null>>();
// Open enumerations are strings, so that a value that v1 adds breaks no client.
holds<Same<Schemas['Figure']['missing'], string | null>>();
holds<Same<Schemas['Figure']['unit'], string>>();
holds<Same<Schemas['Problem']['code'], string>>();
holds<Same<Schemas['Figure']['source'], string>>();
holds<Same<Schemas['Figure']['origins'], string[]>>();
holds<Same<Schemas['Change']['figure'], Schemas['ChangeFigure'] | null>>();
holds<Same<Schemas['ChangeFigure']['actual'], Schemas['Figure']>>();
holds<Same<Schemas['ChangeFigure']['deltaPercent'], number | null>>();
holds<Same<Schemas['Change']['sources'], string[]>>();
holds<Same<Schemas['Page']['nextCursor'], string | null>>();
holds<Same<Schemas['Meta']['sources'], Schemas['Source'][]>>();
holds<Same<Schemas['Meta']['locale'], 'en' | 'zh' | 'ja'>>();
holds<Same<Schemas['Source']['notice'], string | null>>();
holds<Same<Schemas['CalendarEvent']['actual'], Schemas['Figure']>>();
holds<Same<Schemas['Bar']['close'], Schemas['Figure']>>();
holds<Same<Schemas['Bar']['open'], number | null>>();
holds<Same<Schemas['SearchResult']['score'], number>>();
holds<Same<Schemas['Alert']['condition']['threshold'], number | null>>();
holds<Same<Schemas['ProblemEnvelope']['data'], null>>();
holds<Same<Schemas['ProblemEnvelope']['meta'], Schemas['Meta']>>();
holds<Same<NonNullable<Schemas['Problem']['errors']>[number]['parameter'], string>>();

/** The part of an error that openapi-fetch returns: it omits members that are always null. */
interface Failure {
  readonly error: Pick<Schemas['Problem'], 'code' | 'detail'>;
}

/** The typed data of a response; any other response is a failure with the service's text. */
function answered<Data>(answer: { data?: Data; error?: Failure; response: Response }): Data {
  if (answer.data !== undefined) return answer.data;
  const { status, url } = answer.response;
  throw new Error(`${String(status)} ${url}: ${answer.error?.error.detail ?? 'no error in the body'}`);
}

function first<Item>(items: readonly Item[], what: string): Item {
  const [item] = items;
  if (item === undefined) throw new Error(`The service has no ${what}`);
  return item;
}

/** A figure as a program would print it: the type forces the author to handle a missing value. */
function printed({ value, decimals, missing }: Schemas['Figure']): string {
  return value === null ? `– (${missing ?? 'no reason'})` : value.toFixed(decimals ?? 0);
}

async function callChanges(api: Client<paths>): Promise<Schemas['Change']> {
  const page = answered(await api.GET('/api/v1/changes', { params: { query: { limit: 1, locale: 'ja' } } }));
  const cursor = page.meta.page?.nextCursor ?? null;
  if (cursor === null) throw new Error('One change is no walk');
  answered(await api.GET('/api/v1/changes', { params: { query: { limit: 1, cursor, locale: 'ja' } } }));
  const change = first(page.data, 'change');
  if (change.status === 'withdrawn') throw new Error('A withdrawn change in the ordinary list');
  const { data } = answered(await api.GET('/api/v1/changes/{id}', { params: { path: { id: change.id } } }));
  const corrections: { actual: number | null }[] = data.corrections;
  if (data.id !== change.id || !Array.isArray(corrections)) throw new Error('Another change than asked for');
  const gone = await api.GET('/api/v1/changes', { params: { query: { status: 'withdrawn' } } });
  for (const one of answered(gone).data) if (one.status === 'withdrawn') new Date(one.withdrawnAt).toISOString();
  return change;
}

async function callSubjects(api: Client<paths>): Promise<void> {
  const domain = first(answered(await api.GET('/api/v1/coverage')).data, 'domain');
  const { key } = domain;
  const prices = answered(await api.GET('/api/v1/coverage/{key}', { params: { path: { key } } }));
  const counted: number = prices.data.counts.days30;
  if (counted < 0) throw new Error('Fewer changes than none');
  const { slug } = first(answered(await api.GET('/api/v1/topics')).data, 'topic');
  answered(await api.GET('/api/v1/topics/{slug}', { params: { path: { slug }, query: { limit: 2 } } }));
  const { type } = first(
    answered(await api.GET('/api/v1/search', { params: { query: { q: 'inflation' } } })).data,
    'answer to a word',
  );
  holds<Same<typeof type, string>>();
}

async function callCompanies(api: Client<paths>): Promise<void> {
  const { slug, entityId } = first(answered(await api.GET('/api/v1/companies')).data, 'company');
  const { data } = answered(await api.GET('/api/v1/companies/{slug}', { params: { path: { slug } } }));
  if (data.entityId !== entityId) throw new Error('Another company than asked for');
  const map = answered(
    await api.GET('/api/v1/entities/{id}/structure', { params: { path: { id: entityId }, query: { depth: 1 } } }),
  );
  const level: number = first(map.data.nodes, 'node').level;
  if (!Number.isInteger(level)) throw new Error('A level is a whole number');
}

async function callFigures(api: Client<paths>): Promise<string[]> {
  const board = answered(await api.GET('/api/v1/macro/board')).data;
  const { slug: indicator } = first(board.indicators, 'indicator');
  const listed = answered(await api.GET('/api/v1/macro')).data;
  if (!listed.some(({ slug }) => slug === indicator)) throw new Error('The board has an unlisted indicator');
  first(answered(await api.GET('/api/v1/sources')).data, 'source');
  const series = answered(await api.GET('/api/v1/macro/{indicator}', { params: { path: { indicator } } }));
  const { observations } = first(series.data.series, 'series');
  const { key, kind } = first(answered(await api.GET('/api/v1/markets')).data, 'instrument');
  const bars = await api.GET('/api/v1/markets/kind/{kind}', { params: { path: { kind }, query: { tf: 'MN' } } });
  const { points } = answered(await api.GET('/api/v1/markets/{key}', { params: { path: { key } } })).data;
  const rises = answered(await api.GET('/api/v1/series', { params: { query: { series: key, transform: 'pop' } } }));
  const { computed } = first(rises.data, 'computed series');
  if (computed === null) throw new Error('A computed series names its inputs');
  const closes = answered(bars).data.flatMap((instrument) => instrument.bars.map(({ close }) => close));
  return [...observations, ...points, ...closes].map(printed);
}

async function callDays(api: Client<paths>): Promise<void> {
  const { date } = answered(await api.GET('/api/v1/briefs/latest')).data;
  const { data } = answered(await api.GET('/api/v1/briefs/{date}', { params: { path: { date } } }));
  if (data.date !== date) throw new Error('Another day than asked for');
  const events = answered(
    await api.GET('/api/v1/ahead', { params: { query: { from: '2026-01-01', to: '2026-12-31' } } }),
  ).data;
  const { id } = first(events, 'event');
  printed(answered(await api.GET('/api/v1/ahead/{id}', { params: { path: { id } } })).data.actual);
}

async function callOwn(api: Client<paths>): Promise<void> {
  first(answered(await api.GET('/api/v1/following')).data, 'follow');
  const followed = answered(await api.GET('/api/v1/following/changes')).data;
  first(first(followed, 'followed change').followed, 'target');
  const { condition } = first(answered(await api.GET('/api/v1/alerts')).data, 'alert');
  holds<Same<typeof condition.threshold, number | null>>();
}

/** The members of an error are typed too. */
async function callWrongly(api: Client<paths>): Promise<void> {
  const none = await api.GET('/api/v1/changes/{id}', { params: { path: { id: 'chg_none' } } });
  if (none.error?.error.code !== 'not_found') throw new Error('A change that is none is there');
  const far = await api.GET('/api/v1/changes', { params: { query: { limit: 101 } } });
  const fault = far.error?.error.errors?.[0]?.parameter;
  if (far.response.status !== 400 || fault !== 'limit') throw new Error('Bounds are not kept');
}

/** @returns the documented paths that were called, and the number of figures in their responses */
export async function callAll(baseUrl: string, key: string): Promise<{ called: string[]; figures: number }> {
  const called = new Set<string>();
  const note: Middleware = { onRequest: ({ schemaPath }) => void called.add(schemaPath) };
  const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
  api.use(note);
  const change = await callChanges(api);
  await callSubjects(api);
  await callCompanies(api);
  const figures = await callFigures(api);
  await callDays(api);
  await callOwn(api);
  await callWrongly(api);
  await callSignal(api, change);
  return { called: [...called], figures: figures.length };
}

/** No list contains signals: a topic or a search leads to one. */
async function callSignal(api: Client<paths>, { topics }: Schemas['Change']): Promise<void> {
  const slugs = [...topics, ...answered(await api.GET('/api/v1/topics')).data].map(({ slug }) => slug);
  for (const slug of new Set(slugs)) {
    const { signals } = answered(await api.GET('/api/v1/topics/{slug}', { params: { path: { slug } } })).data;
    const [signal] = signals;
    if (signal === undefined) continue;
    const { id } = signal;
    const { data } = answered(await api.GET('/api/v1/signals/{id}', { params: { path: { id } } }));
    if (data.id !== id) throw new Error('Another signal than asked for');
    return;
  }
  throw new Error('No topic has a signal');
}
