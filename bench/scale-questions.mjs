// The requests of the scale measurement: every route, on the content of a grown database, without a response cache.
import { Writable } from 'node:stream';
import { freePort } from '../test/support/free-port.mjs';
import { built } from './workspace.mjs';

const PEPPER = 'only-for-measuring-0001';
/** As many as one request may name. */
const THIRTY = 'US,CN,JP,DE,IN,GB,FR,IT,BR,CA,RU,KR,AU,ES,MX,ID,NL,SA,TR,CH,PL,BE,AR,SE,IE,TH,NO,IL,AT,SG';
const FOLLOWED = [
  ['country', 'JP'],
  ['country', 'US'],
  ['topic', 'inflation'],
  ['coverage', 'growth'],
  ['indicator', 'gdp-growth'],
  ['indicator', 'cpi-inflation@DE'],
];

/** The server in this process, without limits and response cache, and the requests to send. */
export async function openQuestions(defer, connections, pools) {
  // One after another: Node 20 cannot require a module that another import is still loading.
  const { startServer } = await built('server.js');
  const { Peppers } = await built('serve/access/keys/peppers.js');
  const { Access } = await built('serve/access/accounts/access.js');
  const { Log } = await built('serve/log/log.js');
  const { readConfig } = await built('domain/config/config.js');
  const { ResponseCache } = await built('serve/http/response/response-cache.js');
  const { PlanThrottlerGuard } = await built('serve/limits/plan-throttler.guard.js');
  const { Account } = await built('serve/access/accounts/account.entity.js');
  const { ApiKey } = await built('serve/access/keys/api-key.entity.js');
  const { createDataSource } = await built('store/data-source.js');
  ResponseCache.prototype.find = () => undefined;
  ResponseCache.prototype.hit = () => undefined;
  ResponseCache.prototype.compute = (key, work) => work();
  PlanThrottlerGuard.prototype.canActivate = () => true;
  const port = await freePort();
  const peppers = new Peppers([{ id: 'bench', value: PEPPER }]);
  const nowhere = new Writable({ write: (chunk, coding, done) => done() });
  const server = await startServer({
    config: readConfig({ PORT: String(port) }),
    connections,
    peppers,
    log: new Log('error', false, nowhere),
    baseUrl: `http://127.0.0.1:${port}`,
  });
  defer(() => server.close());
  const settings = { size: 1, statementTimeout: 0, applicationName: 'scale' };
  const accounts = createDataSource(connections.to('account'), settings, [Account, ApiKey]);
  await accounts.initialize();
  defer(() => accounts.destroy());
  const access = new Access(accounts, peppers, () => new Date());
  const email = 'scale@bench.example';
  await access.createAccount({ email, plan: 'developer', signedUpAt: new Date() });
  const { text: key } = await access.createKey(email, 'bench');
  await follow(pools.admin, email);
  const ask = async (path) => {
    const response = await fetch(`${server.url}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
    });
    const body = await response.text();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${body.slice(0, 300)}`);
    return JSON.parse(body);
  };
  return { ask, list: await questionsOf(pools.admin, peppers) };
}

async function follow(pool, email) {
  for (const [type, key] of FOLLOWED) {
    await pool.query(
      `INSERT INTO follows (id, account_id, target_type, target_key, since)
       SELECT 'fol_' || md5($2 || $3), id, $2, $3, now() FROM accounts WHERE email = $1`,
      [email, type, key],
    );
  }
}

async function questionsOf(pool, peppers) {
  const { Cursors } = await built('serve/responses/cursors.service.js');
  const cursors = new Cursors(peppers.derive('cursor'));
  const one = async (sql) => (await pool.query(sql)).rows[0];
  const far = Number((await one('SELECT max(position) / 50 AS place FROM changes')).place);
  const newest = Number((await one('SELECT max(data_version) AS version FROM publications')).version);
  const end = (route, filters) => cursors.write({ scope: { route, filters }, place: Math.trunc(far) }, newest);
  const [change, signal, company, entity, event, instrument, brief] = await Promise.all(
    [
      'SELECT id FROM changes ORDER BY position DESC LIMIT 1',
      'SELECT id FROM signals ORDER BY id LIMIT 1',
      'SELECT slug AS id FROM companies ORDER BY slug LIMIT 1',
      'SELECT parent AS id FROM relations GROUP BY parent ORDER BY count(*) DESC LIMIT 1',
      'SELECT id FROM calendar_events ORDER BY id LIMIT 1',
      'SELECT instrument AS id FROM series WHERE instrument IS NOT NULL ORDER BY 1 LIMIT 1',
      'SELECT day::text AS id FROM briefs ORDER BY day LIMIT 1 OFFSET 100',
    ].map(one),
  );
  const list = [
    ['changes', 'changes'],
    ['changes, the end', `changes?cursor=${end('changes', {})}`],
    ['changes of a country', 'changes?country=JP'],
    ['changes of a country, the end', `changes?country=JP&cursor=${end('changes', { regions: ['JP'] })}`],
    ['changes of a topic', 'changes?topic=inflation'],
    ['changes of a domain', 'changes?coverage=prices'],
    ['changes of a kind', 'changes?kind=move'],
    ['changes of a window', 'changes?since=2020-01-01&until=2020-01-31'],
    ['changes of a country in a window', 'changes?country=JP&since=2020-01-01&until=2020-01-31'],
    ['changes by importance', 'changes?order=importance'],
    ['changes by importance in a window', 'changes?order=importance&since=2020-01-01'],
    ['changes of a country by importance', 'changes?order=importance&country=JP'],
    ['changes by words, by importance', 'changes?order=importance&q=revised'],
    ['changes of a country by importance in a window', 'changes?order=importance&country=JP&since=2020-01-01'],
    ['changes by importance published since', 'changes?order=importance&publishedSince=2026-01-01'],
    ['important changes', 'changes?minImportance=95'],
    ['important changes of a topic', 'changes?minImportance=99&topic=inflation'],
    ['changes of thirty countries', `changes?country=${THIRTY}&minImportance=95`],
    ['withdrawn changes', 'changes?status=withdrawn'],
    ['changes before a day', 'changes?until=2018-01-31'],
    ['changes published since, none', 'changes?publishedSince=2026-07-02'],
    ['changes by words, common', 'changes?q=revised'],
    ['changes by words, rare', 'changes?q=Iceland%20inflation%201961'],
    ['changes by words, none', 'changes?q=zzyzx'],
    ['one change', change && `changes/${change.id}`],
    ['one signal', signal && `signals/${signal.id}`],
    ['coverage', 'coverage'],
    ['one domain', 'coverage/prices'],
    ['topics', 'topics'],
    ['one topic', 'topics/inflation'],
    ['sources', 'sources'],
    ['series', 'series?series=gdp-growth@JP,cpi-inflation@DE'],
    ['series as of a day', 'series?series=gdp-growth@JP&asOf=2012-01-31'],
    ['companies', 'companies'],
    ['companies by words', 'companies?q=steel'],
    ['one company', company && `companies/${company.id}`],
    ['structure', entity && `entities/${entity.id}/structure`],
    ['ahead', 'ahead?from=2026-06-01&to=2026-07-31'],
    ['one event', event && `ahead/${event.id}`],
    ['markets', 'markets'],
    ['one instrument', instrument && `markets/${instrument.id}`],
    ['a kind of instruments', 'markets/kind/fx?tf=W1'],
    ['a kind of instruments, by day', 'markets/kind/fx?tf=D1'],
    ['a kind of instruments as of a day', 'markets/kind/fx?tf=W1&asOf=2024-01-31'],
    ['indicators', 'macro'],
    ['the board', 'macro/board'],
    ['one series', 'macro/gdp-growth?region=JP'],
    ['an indicator', 'macro/gdp-growth'],
    ['every series of an indicator', 'macro/gdp-growth?region=all'],
    ['every series of an indicator as of a day', 'macro/gdp-growth?region=all&asOf=2012-01-31'],
    ['an indicator as of a day', 'macro/gdp-growth?asOf=2012-01-31'],
    ['an indicator, ranked', 'macro/gdp-growth?rank=highest'],
    ['one series as of a day', 'macro/gdp-growth?region=JP&asOf=2012-01-31'],
    ['the vintages of a series', 'macro/gdp-growth?region=JP&vintages=all'],
    ['figures published since', 'macro/gdp-growth?publishedSince=2026-06-01'],
    ['the latest brief', 'briefs/latest'],
    ['an old brief', brief && `briefs/${brief.id}`],
    ['following', 'following'],
    ['changes followed', 'following/changes'],
    ['alerts', 'alerts'],
    ['search, English', 'search?q=inflation'],
    ['search, a company', 'search?q=pacific%20steel'],
    ['search, a typo', 'search?q=inflaton'],
    ['search, Chinese', `search?q=${encodeURIComponent('物价')}`],
    ['search, Japanese', `search?q=${encodeURIComponent('失業率')}`],
    ['search, nothing', 'search?q=zzyzx'],
  ];
  return list.flatMap(([name, path]) => (path === undefined ? [] : [{ name, path }]));
}

/** The number of rows in each table, by the planner's statistics. */
export async function tableSizes(pool) {
  const { rows } = await pool.query(
    `SELECT relname, reltuples FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  return new Map(rows.map(({ relname, reltuples }) => [relname, reltuples]));
}

let recorded = null;

/** The statements of one request, with their values. */
export async function watchStatements(work) {
  const { default: pg } = await import('pg');
  const { prototype } = pg.Client;
  const original = prototype.query;
  recorded = [];
  prototype.query = function watched(config, values, ...rest) {
    const text = typeof config === 'string' ? config : config?.text;
    const given = (typeof config === 'string' ? values : config?.values) ?? [];
    if (/^\s*(SELECT|WITH)\b/i.test(text ?? '') && !/access_version|find_keys|FROM notifications/.test(text)) {
      recorded.push({ text, values: Array.isArray(given) ? given : [] });
    }
    return original.call(this, config, values, ...rest);
  };
  try {
    await work();
    return recorded;
  } finally {
    prototype.query = original;
    recorded = null;
  }
}
