// `npm run bench:scale [-- --sizes 10000,100000,1000000] [--server postgres://…]`: measures each route as the content
// grows, with its query plans; on a server with a superuser's URL, by that server's own settings.
import { parseArgs } from 'node:util';
import { escapeLiteral } from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import { grow } from './grow.mjs';
import { conditions, median, rounded, table } from './medians.mjs';
import { openQuestions, tableSizes, watchStatements } from './scale-questions.mjs';
import { stallOfReaders } from './scale-stall.mjs';
import { built, measuring, openDataFolder, within } from './workspace.mjs';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    sizes: { type: 'string' },
    repeat: { type: 'string', default: '15' },
    plans: { type: 'boolean', default: false },
    server: { type: 'string' },
  },
});
const sizes = (options.sizes ?? (options.quick ? '1000,10000' : '10000,100000,1000000')).split(',').map(Number);
const STATEMENT_SHOWN = 60;
const AIM = { endOverStart: 1.3, searchOverHundredth: 3, stalled: 2, milliseconds: 50 };

await measuring(async (defer) => {
  const results = [];
  for (const changes of sizes) {
    await within(defer, async (own) => {
      results.push(await measured(own, changes, changes === sizes.at(-1) && !options.quick));
    });
  }
  print(results);
});

/** An embedded server of its own. */
async function openEmbedded(defer) {
  const { dataDir, environment } = await openDataFolder(defer);
  const { openEmbeddedPostgres } = await import('@tidemark/embedded-postgres');
  const lease = await openEmbeddedPostgres({ dataDir });
  defer(() => lease.release());
  return { environment, lease, to: (role) => ({ ...lease.connection(role), role: null }) };
}

/** A database of its own on a server that others may use too. */
async function openOnServer(defer, address) {
  const { default: pg } = await import('pg');
  const name = `tidemark_scale_${process.pid}`;
  const run = async (sql) => {
    const client = new pg.Client(address);
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await run(`CREATE DATABASE ${name}`);
  defer(() => run(`DROP DATABASE ${name} WITH (FORCE)`));
  const url = new URL(address);
  url.pathname = `/${name}`;
  return { to: (role) => ({ connectionString: url.href, role: role === 'admin' ? null : `tidemark_${role}` }) };
}

/** One size on its own database: fill it, vacuum it, then request every route without a cache. */
async function measured(defer, changes, last) {
  const say = (what) => console.error(`${rounded(changes)} changes: ${what} …`);
  const { environment, lease, to } = await (options.server === undefined
    ? openEmbedded(defer)
    : openOnServer(defer, options.server));
  const { migrate } = await built('store/migrate.js');
  const { poolOptions } = await built('store/data-source.js');
  const connections = { engine: 'server', firstStart: false, to, release: () => Promise.resolve() };
  await migrate(connections);
  const { default: pg } = await import('pg');
  const pools = Object.fromEntries(
    ['admin', 'import', 'api'].map((role) => [
      role,
      new pg.Pool({ ...to(role), ...poolOptions(to(role), { size: 2, statementTimeout: 0 }) }),
    ]),
  );
  // The embedded server may stop before it has read that the connections close.
  for (const pool of Object.values(pools)) pool.on('error', () => undefined);
  defer(() => Promise.all(Object.values(pools).map((pool) => pool.end())));
  const started = performance.now();
  await grow(pools, { changes, observations: changes * 10, entities: changes / 10, shared: lease === undefined }, say);
  const grown = (performance.now() - started) / 1_000;
  const questions = await openQuestions(defer, connections, pools);
  const routes = [];
  for (const question of questions.list) {
    say(question.name);
    routes.push(await oneRoute(questions.ask, question, pools.api));
  }
  const stall = last && lease !== undefined ? await stallOfReaders(defer, { environment, lease, say }) : null;
  return { changes, grown, routes, rows: await tableSizes(pools.admin), stall };
}

async function oneRoute(ask, { name, path }, pool) {
  const statements = await watchStatements(() => ask(path));
  const plans = [];
  for (const statement of statements) plans.push(await planOf(pool, statement));
  const times = [];
  for (let run = 0; run < Number(options.repeat); run += 1) {
    const started = performance.now();
    await ask(path);
    times.push(performance.now() - started);
  }
  if (options.plans) for (const plan of plans) console.log(`\n## ${name}\n\n${plan.text}\n`);
  return {
    name,
    plans,
    milliseconds: median(times),
    database: plans.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
    blocks: plans.reduce((sum, { blocks }) => sum + blocks, 0),
    scanned: [...new Set(plans.flatMap((plan) => plan.scanned))],
  };
}

/** The plan of a prepared statement, as the service runs it; `EXPLAIN` alone would plan for the values. */
async function explained(pool, text, values) {
  const client = await pool.connect();
  try {
    await client.query('SET plan_cache_mode = force_generic_plan');
    await client.query(`PREPARE watched AS ${text}`);
    const given = values.map((value) => (value === null ? 'NULL' : escapeLiteral(`${prepareValue(value)}`)));
    const list = given.length === 0 ? '' : ` (${given.join(', ')})`;
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE watched${list}`);
    return rows[0]['QUERY PLAN'][0];
  } finally {
    await client.query('DEALLOCATE ALL');
    client.release();
  }
}

async function planOf(pool, { text, values }) {
  const explanations = [];
  for (let run = 0; run < 7; run += 1) explanations.push(await explained(pool, text, values));
  const root = explanations[0].Plan;
  const { 'Actual Rows': rows } = root;
  const nodes = [];
  const walk = (node, depth) => {
    nodes.push({ ...node, depth });
    for (const child of node.Plans ?? []) walk(child, depth + 1);
  };
  walk(root, 0);
  return {
    statement: text.replace(/\s+/g, ' ').trim().slice(0, STATEMENT_SHOWN),
    rows,
    // Whatever else runs on the machine only adds.
    milliseconds: Math.min(...explanations.map((each) => each['Execution Time'])),
    blocks: (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0),
    scanned: nodes
      .filter((node) => node['Node Type'] === 'Seq Scan' && node['Actual Loops'] > 0)
      .map((node) => node['Relation Name']),
    text: nodes
      .map(
        (node) =>
          `${'  '.repeat(node.depth)}${node['Node Type']} ${node['Index Name'] ?? node['Relation Name'] ?? ''} rows=${node['Actual Rows']} loops=${node['Actual Loops']}`,
      )
      .join('\n'),
  };
}

/** Tables that grow with the content; the catalogue's own do not. */
function growing(results) {
  const [first, last] = [results[0], results.at(-1)];
  const grows = (name) => (last.rows.get(name) ?? 0) > 2 * (results.length > 1 ? (first.rows.get(name) ?? 0) : 2_500);
  return (route) => route.scanned.filter(grows);
}

function print(results) {
  const names = results[0].routes.map(({ name }) => name);
  const readWhole = growing(results);
  const cell = (result, name) => result.routes.find((route) => route.name === name);
  const rows = names.map((name) => [
    name,
    ...results.map((result) => rounded(cell(result, name).milliseconds, 1)),
    ...results.map((result) => rounded(cell(result, name).database, 1)),
    ...results.map((result) => rounded(cell(result, name).blocks)),
    readWhole(cell(results.at(-1), name)).join(', ') || '–',
  ]);
  const sizesOf = (what) => results.map(({ changes }) => `${what}, ${rounded(changes)}`);
  console.log(
    `\n${conditions([`${options.server === undefined ? 'embedded PostgreSQL' : 'a PostgreSQL server'}, no response cache`])}\n`,
  );
  for (const { changes, grown } of results)
    console.log(`${rounded(changes)} changes generated, with read models, in ${rounded(grown)} s`);
  console.log();
  console.log(
    table(
      ['route', ...sizesOf('ms'), ...sizesOf('ms of PostgreSQL'), ...sizesOf('pages'), 'growing tables read whole'],
      rows,
    ),
  );
  printDearest(results.at(-1).routes);
  check(results);
}

/** The ten dearest statements, each of the route where it is dearest. */
function printDearest(routes) {
  const dearest = new Map();
  for (const { name, plans } of routes) {
    for (const plan of plans) {
      if (plan.milliseconds > (dearest.get(plan.statement)?.milliseconds ?? 0))
        dearest.set(plan.statement, { ...plan, name });
    }
  }
  const ten = [...dearest.values()].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, 10);
  console.log(
    `\n${table(
      ['statement', 'route', 'ms of PostgreSQL', 'pages', 'rows'],
      ten.map((plan) => [
        `\`${plan.statement}\``,
        plan.name,
        rounded(plan.milliseconds, 1),
        rounded(plan.blocks),
        rounded(plan.rows),
      ]),
    )}`,
  );
}

function check(results) {
  const last = results.at(-1);
  const at = (result, name) => result.routes.find((route) => route.name === name)?.milliseconds ?? NaN;
  const met = (good) => (good ? 'met' : 'MISSED');
  const ratio = at(last, 'changes, the end') / at(last, 'changes');
  const lines = [
    `end of the list over its start ≤ ${AIM.endOverStart}: ${met(ratio <= AIM.endOverStart)} (${rounded(ratio, 2)})`,
    `no growing table read whole: ${met(last.routes.every((route) => growing(results)(route).length === 0))}`,
  ];
  const slow = last.routes.filter(({ database }) => database > AIM.milliseconds).map(({ name }) => name);
  lines.push(`no route above ${AIM.milliseconds} ms of PostgreSQL: ${met(slow.length === 0)} (${slow.join(', ')})`);
  const hundredth = results.find(({ changes }) => changes * 100 === last.changes);
  if (hundredth !== undefined) {
    for (const { name } of last.routes.filter((route) => route.name.startsWith('search'))) {
      const grown = at(last, name) / at(hundredth, name);
      lines.push(
        `${name} ≤ ${AIM.searchOverHundredth} × a hundredth: ${met(grown <= AIM.searchOverHundredth)} (${rounded(grown, 2)})`,
      );
    }
  }
  if (last.stall !== null) {
    const { before, during } = last.stall;
    lines.push(
      `p99 of changes during an import ≤ ${AIM.stalled} × before: ${met(during <= before * AIM.stalled)} (${rounded(before, 1)} ms, then ${rounded(during, 1)} ms)`,
    );
  }
  console.log(`\n${lines.join('\n')}`);
}
