// A hand-written server for the same two routes: Fastify, pg and ioredis, the same SQL for the same rows, the same
// checks, limits, headers and bytes; one language and two routes only. See README.md.
import { createHash, createHmac, randomUUID } from 'node:crypto';
import fastify from 'fastify';
import pg from 'pg';
import { pino } from 'pino';
import { changesStatement } from '../dist/resources/changes/change.rows.js';
import { ONE_INDICATOR, WHOLE_SERIES } from '../dist/resources/macro/macro.rows.js';
import { readSources } from '../dist/sources/attributions.js';
import { memoryLimits, redisLimits } from './by-hand-limits.mjs';
import { showChange, showSeries, showSource } from './by-hand-shapes.mjs';

const PER_MINUTE = 120;
const PER_DAY = 100_000;
const settings = JSON.parse(process.env.BENCH_SERVER);
const { port, baseUrl, connection, pepper, redisUrl, answers, reading, hardening, poolSize } = settings;

pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ ...connection, max: poolSize });
pool.on('error', () => undefined);
const limits = redisUrl === null ? memoryLimits() : await redisLimits(redisUrl);
const log = pino({ level: 'info', base: null });

// The versions that every response depends on, polled four times a second: data versions, sources, access version.
const EPOCH =
  'SELECT (SELECT max(data_version) FROM publications) AS "dataVersion", (SELECT version FROM access_version) AS access';
const PUBLICATIONS = `SELECT f.family, r.data_version AS "dataVersion", r.published_at AS "publishedAt"
  FROM resource_families f JOIN publications r ON r.data_version = f.data_version`;
const readAll = (text, values) => pool.query(text, values).then(({ rows }) => rows);
let held = { dataVersion: 0, access: 0, families: new Map(), sources: new Map() };
const keys = new Map();
const kept = new Map();

async function refresh() {
  const [{ dataVersion, access }] = (await pool.query(EPOCH)).rows;
  if (access !== held.access) keys.clear();
  if (dataVersion === held.dataVersion) {
    held.access = access;
    return;
  }
  const [families, sources] = await Promise.all([pool.query(PUBLICATIONS), readSources(readAll)]);
  kept.clear();
  held = {
    dataVersion,
    access,
    families: new Map(families.rows.map((row) => [row.family, row])),
    sources: new Map([...sources.values()].map((row) => [row.id, showSource(row)])),
  };
}
await refresh();
setInterval(() => refresh().catch((error) => log.error(error)), 250);

const LOOK_UP = `SELECT k.id AS "keyId", a.id AS "accountId", a.plan FROM api_keys k JOIN accounts a ON a.id = k.account_id
  WHERE k.hash = $1 AND k.revoked_at IS NULL AND a.status = 'active'`;

async function callerOf(authorization) {
  const text = /^bearer (tm_[0-9A-Za-z]{36})$/i.exec(authorization ?? '')?.[1];
  if (text === undefined) return undefined;
  const hash = createHmac('sha256', pepper).update(text).digest();
  const name = hash.toString('base64');
  let caller = keys.get(name);
  if (caller === undefined) {
    [caller] = (await pool.query({ name: 'key', text: LOOK_UP, values: [hash] })).rows;
    if (caller !== undefined) keys.set(name, caller);
  }
  return caller;
}

/**
 * Rows of single statements with the cached versions and sources, or everything read in one snapshot: the contract
 * promises the consistency of the latter, and our server provides it.
 */
async function read(work) {
  if (reading === 'statement') return work((query) => pool.query(query).then(({ rows }) => rows), factsHeld);
  const client = await pool.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const query = (statement) => client.query(statement).then(({ rows }) => rows);
    const result = await work(query, (family, ids) => factsRead(query, family, ids));
    await client.query('COMMIT');
    return result;
  } finally {
    client.release();
  }
}

const factsHeld = (family, ids) => ({
  ...held.families.get(family),
  sources: ids.map((id) => held.sources.get(id)),
});

async function factsRead(query, family, ids) {
  const [dataVersion] = await query({
    name: 'revision',
    text: `${PUBLICATIONS} WHERE f.family = $1`,
    values: [family],
  });
  const sources = await readSources((text) => query({ name: 'sources', text, values: [] }));
  return { ...dataVersion, sources: ids.map((id) => showSource(sources.get(id))) };
}

const cursorSecret = createHmac('sha256', pepper).update('cursor').digest();

function cursorFor(position, filters) {
  const payload = Buffer.from(position.toString(36));
  const mac = createHmac('sha256', cursorSecret).update(JSON.stringify(filters)).update(payload).digest();
  return Buffer.concat([mac.subarray(0, 12), payload]).toString('base64url');
}

async function envelope(facts, family, cited, data, page) {
  const { dataVersion, publishedAt, sources: whole } = await facts(family, [...cited.ids].sort());
  const sources = whole.map((source) => ({
    ...source,
    series: source.series.filter(({ key }) => cited.series.has(key)),
  }));
  const meta = { locale: 'en', dataVersion, publishedAt: publishedAt.toISOString(), sources, notices: [] };
  return JSON.stringify({ data, meta: page === undefined ? meta : { ...meta, page } });
}

const changes = (request) =>
  read(async (query, facts) => {
    const { limit, until } = request.query;
    const filter = { occurredBefore: until === undefined ? undefined : new Date(until) };
    const { sql, parameters } = changesStatement(filter, limit, 'en');
    const rows = await query({
      name: until === undefined ? 'page' : 'page until',
      text: sql,
      values: parameters,
    });
    const cited = { ids: new Set(), series: new Set() };
    const data = rows.slice(0, limit).map((row) => showChange(row, baseUrl, cited));
    const nextCursor = rows.length > limit ? cursorFor(rows[limit - 1].position, { until }) : null;
    const body = await envelope(facts, 'changes', cited, data, { limit, nextCursor });
    if (nextCursor === null) return { body };
    const next = new URL(request.url, baseUrl);
    next.searchParams.set('cursor', nextCursor);
    return { body, link: `<${next.href}>; rel="next"` };
  });

const macro = (request) =>
  read(async (query, facts) => {
    const today = new Date().toISOString().slice(0, 10);
    const region = request.query.region.toUpperCase();
    const values = [request.params.indicator, today, '1500', '2499', [region]];
    const [[indicator], rows] = await Promise.all([
      query({ name: 'indicator', text: ONE_INDICATOR, values: values.slice(0, 1) }),
      query({ name: 'series', text: WHOLE_SERIES, values }),
    ]);
    const cited = { ids: new Set(), series: new Set() };
    const data = showSeries(indicator, rows, baseUrl, cited);
    return { body: await envelope(facts, 'macro', cited, data) };
  });

async function answerTo(request, make) {
  if (answers === 'none') return finished(await make(request));
  let answer = kept.get(request.url);
  if (answer === undefined) {
    answer = finished(await make(request));
    kept.set(request.url, answer);
  }
  return answer;
}

function finished({ body, link }) {
  const bytes = Buffer.from(body);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
  return { bytes, headers: { etag, ...(link && { link }) } };
}

function refuse(reply, status, code) {
  reply.code(status).header('cache-control', 'no-store');
  return reply.send({ data: null, meta: { sources: [], notices: [] }, error: { code, status } });
}

const handler = (make) => async (request, reply) => {
  reply.headers(hardening);
  reply.header('x-request-id', request.id).header('vary', 'authorization, accept-encoding');
  const caller = await callerOf(request.headers.authorization);
  if (caller === undefined) return refuse(reply, 401, 'invalid_key');
  request.caller = caller;
  const { admitted, minute, day, resetMs } = await limits(caller.accountId, PER_MINUTE, PER_DAY);
  const now = Date.now();
  const midnight = Math.ceil((86_400_000 - (now % 86_400_000)) / 1_000);
  reply.headers({
    'x-ratelimit-limit-minute': PER_MINUTE,
    'x-ratelimit-remaining-minute': PER_MINUTE - minute,
    'x-ratelimit-limit-day': PER_DAY,
    'x-ratelimit-remaining-day': PER_DAY - day,
    'ratelimit-policy': `"minute";q=${PER_MINUTE};w=60, "day";q=${PER_DAY};w=86400`,
    ratelimit: `"minute";r=${PER_MINUTE - minute};t=${Math.ceil(resetMs / 1_000)}, "day";r=${PER_DAY - day};t=${midnight}`,
  });
  if (!admitted) {
    reply.header('retry-after', Math.max(1, Math.ceil(resetMs / 1_000)));
    return refuse(reply, 429, 'limit_exceeded');
  }
  const { bytes, headers } = await answerTo(request, make);
  reply.headers({ 'cache-control': 'private, max-age=30', 'content-language': 'en', ...headers });
  if (request.headers['if-none-match'] === headers.etag) return reply.code(304).send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(bytes);
};

const app = fastify({ genReqId: () => randomUUID(), keepAliveTimeout: 65_000 });
app.addHook('onResponse', (request, reply, done) => {
  const { caller, id: requestId, method, routeOptions } = request;
  const ms = Math.round(reply.elapsedTime * 10) / 10;
  const bytes = Number(reply.getHeader('content-length') ?? 0);
  const who = { account: caller?.accountId ?? null, plan: caller?.plan ?? null };
  log.info(
    { requestId, ...who, method, route: routeOptions.url, status: reply.statusCode, ms, bytes },
    'request',
  );
  done();
});
const query = (properties) => ({
  schema: { querystring: { type: 'object', additionalProperties: false, properties } },
});
app.get(
  '/api/v1/changes',
  query({
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    until: { type: 'string', format: 'date-time' },
  }),
  handler(changes),
);
app.get(
  '/api/v1/macro/:indicator',
  query({ region: { type: 'string', pattern: '^[A-Za-z0-9]{2,3}$' } }),
  handler(macro),
);
await app.listen({ port, host: '127.0.0.1' });
process.once('SIGTERM', () => process.exit(0));
