// Fastify 5, pg and Redis by hand, as a good engineer writes one list for one audience. See ../README.md.
import { createHash, randomUUID } from 'node:crypto';
import fastify from 'fastify';
import pg from 'pg';
import { pino } from 'pino';
import { CHANGES_QUERY, flatPage, hashOf, keyIn, openFacts, statementOf, widePage } from './changes.mjs';
import { openLimits } from './limits.mjs';

const KEY_HELD_MS = 60_000;
const { port, table, baseUrl, connection, redisUrl, hardening } = JSON.parse(process.env.BENCH_SERVER);
const pool = new pg.Pool({ ...connection, max: 6 });
pool.on('error', () => undefined);
const facts = await openFacts(pool);
const admit = await openLimits(redisUrl);
const log = pino({ level: 'info', base: null });
const keys = new Map();

/** A key that was looked up is not looked up again for a minute. */
async function accountOf(key) {
  const hash = hashOf(key);
  const name = hash.toString('base64');
  const known = keys.get(name);
  if (known !== undefined && known.until > Date.now()) return known.account;
  const { rows } = await pool.query({
    name: 'caller',
    text: 'SELECT account FROM callers WHERE hash = $1',
    values: [hash],
  });
  if (rows.length === 0) return null;
  keys.set(name, { account: rows[0].account, until: Date.now() + KEY_HELD_MS });
  return rows[0].account;
}

async function pageOf(query) {
  const isFlat = table === 'flat_changes';
  const { rows } = await pool.query(statementOf(table, isFlat ? 'id' : 'position', query));
  return isFlat ? flatPage(rows, query.limit) : widePage(rows, query.limit, facts, baseUrl);
}

const app = fastify({ genReqId: () => randomUUID(), keepAliveTimeout: 65_000 });
app.addHook('onResponse', (request, reply, done) => {
  const { account = null, id: requestId, method, routeOptions } = request;
  const ms = Math.round(reply.elapsedTime * 10) / 10;
  const bytes = Number(reply.getHeader('content-length') ?? 0);
  log.info({ requestId, account, method, route: routeOptions.url, status: reply.statusCode, ms, bytes });
  done();
});
app.get('/api/v1/changes', { schema: { querystring: CHANGES_QUERY } }, async (request, reply) => {
  reply.headers(hardening);
  reply.headers({ 'x-request-id': request.id, vary: 'authorization, accept-encoding' });
  const key = keyIn(request.headers.authorization);
  request.account = key === null ? null : await accountOf(key);
  if (request.account === null) return reply.code(401).send({ error: 'invalid_key' });
  const { isAdmitted, headers } = await admit(request.account);
  reply.headers(headers);
  if (!isAdmitted) return reply.code(429).send({ error: 'limit_exceeded' });
  const page = await pageOf(request.query);
  const body = Buffer.from(JSON.stringify(page));
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  const { nextCursor } = page.meta.page;
  if (nextCursor !== null) {
    const next = new URL(request.url, baseUrl);
    next.searchParams.set('cursor', nextCursor);
    reply.header('link', `<${next.href}>; rel="next"`);
  }
  reply.headers({ 'cache-control': 'private, max-age=30', 'content-language': 'en', etag });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(body);
});
await app.listen({ port, host: '127.0.0.1' });
process.once('SIGTERM', () => process.exit(0));
