import { spawn } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { ROOT } from '../../../bench/workspace.mjs';
import { p99, request, tool } from '../cluster/load.mjs';
import { until } from '../cluster/until.mjs';
import { exactly, holds, inTime, noneFailed } from './checks.mjs';
import { clientsOf, LEFT_ALONE_S, RATE, replace } from './rolling.mjs';

const ASKS = [
  request('/api/v1/changes?limit=5'),
  tool('latest_brief'),
  request('/api/v1/following'),
  // These requests read the table each time: a cached response would not notice the change.
  anew('/api/v1/changes?limit=5'),
];
/** A migration waits a second for a table, and requests wait with it. */
const SLOWEST_MS = 3_000;
const NEXT = 'Upgrade9999999999999';

export const drill = {
  name: 'upgrade',
  when: 'a new version with a migration rolls out over an old one under load',
  promise: 'no failed request',
  async run({ cluster, short, say }) {
    const it = await cluster({ instances: short ? 2 : 3 });
    const main = await nextVersion(it.folder);
    // The migration locks the table for a second, and each request in that second occupies a connection: there must be
    // enough.
    const load = await clientsOf(it, ASKS, short ? RATE / 2 : RATE);
    const reader = await longRead(it.postgres.url('admin'));
    const migrated = migrate(main, it.postgres);
    const stoodBack = () => migrated.said.text.includes('trying again');
    const waited = await until(30_000, 'the migration to stand back', stoodBack).then(
      () => true,
      () => false,
    );
    await reader.end();
    const code = await migrated.ended;
    const [there] = await it.postgres.query(
      `SELECT 1 FROM information_schema.columns WHERE table_name = 'changes' AND column_name = 'upgraded'`,
    );
    await load.seconds(1);
    const slowest = Math.max(...load.seen.map(({ ms }) => ms));
    for (const instance of it.instances) {
      await replace(instance, { main });
      await load.seconds(LEFT_ALONE_S);
    }
    const report = await (await fetch(`${it.instances[0].url}/health/ready`)).json();
    const seen = await load.stop();
    const failed = seen.filter(({ status }) => status !== 200);
    if (code !== 0) say(migrated.said.text);
    return {
      checks: [
        noneFailed(seen, failed),
        holds('the migration ran', code === 0 && there !== undefined),
        holds('it waited for a long read', waited),
        inTime('slowest response while it ran, ms', SLOWEST_MS, slowest),
        exactly('migrations of the new version', 'current', report.migrations),
      ],
      figures: { requests: seen.length, failed: failed.length, p99: p99(seen), slowestWhileMigratingMs: slowest },
    };
  },
};

/** This version with one additional migration. @returns {Promise<string>} its main.js */
async function nextVersion(folder) {
  const next = path.join(folder, 'next');
  await cp(path.join(ROOT, 'dist'), path.join(next, 'dist'), { recursive: true });
  await cp(path.join(ROOT, 'package.json'), path.join(next, 'package.json'));
  for (const beside of ['node_modules', 'data']) await symlink(path.join(ROOT, beside), path.join(next, beside));
  const migration = path.join(next, 'dist/store/schema/migrations/next.migration.js');
  await writeFile(
    migration,
    `export class ${NEXT} {
  name = '${NEXT}';
  locks = ['changes'];
  serves = '0.2.0';
  async up(runner) {
    await runner.query('ALTER TABLE changes ADD COLUMN upgraded text');
  }
  async down(runner) {
    await runner.query('ALTER TABLE changes DROP COLUMN upgraded');
  }
}
`,
  );
  const list = path.join(next, 'dist/store/data-source.js');
  const text = await readFile(list, 'utf8');
  const longer = text.replace('export const MIGRATIONS = [', `export const MIGRATIONS = [\n    ${NEXT},`);
  if (longer === text) throw new Error('The list of migrations is not where it was');
  await writeFile(list, `import { ${NEXT} } from './schema/migrations/next.migration.js';\n${longer}`);
  return path.join(next, 'dist/main.js');
}

function migrate(main, postgres) {
  const env = { PATH: process.env.PATH, DATABASE_URL: postgres.url('api'), DATABASE_ADMIN_URL: postgres.url('admin') };
  const child = spawn(process.execPath, [path.join(path.dirname(main), 'cli.js'), 'migrate'], { env });
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said.text += chunk));
  const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  return { said, ended };
}

/**
 * A long read, such as a report or a copy: it locks the table that the migration has to change, until the drill ends
 * it.
 */
async function longRead(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT count(*) FROM changes');
  return client;
}

/** A request that no earlier one equals. */
function anew(path) {
  let asked = 0;
  const make = (key) => {
    asked += 1;
    return request(`${path}&until=${new Date(Date.UTC(2027, 0, 1) + asked).toISOString()}`).make(key);
  };
  return { name: `${path}, made anew`, make };
}
