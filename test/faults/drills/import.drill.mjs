// An import that is killed, one that finds the disk full, and two at once: readers notice nothing.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rename } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { generate } from '../../../bench/generate.mjs';
import { ROOT } from '../../../bench/workspace.mjs';
import { failures, p99, request, send, startLoad, statuses, tool } from '../cluster/load.mjs';
import { until } from '../cluster/until.mjs';
import { exactly, holds, inTime, never, noneFailed } from './checks.mjs';
import { answersAgain } from './database-questions.mjs';
import { onSmallDisk } from './small-disk.mjs';

const ASKS = [
  request('/api/v1/changes?limit=20'),
  request('/api/v1/macro/gdp-growth?region=JP'),
  request('/api/v1/briefs/latest'),
  tool('latest_changes'),
];
/** The tables that an import writes, in order. */
const PHASES = ['reading', 'comparing with what is held', 'storing', 'deriving changes', 'publishing'];
const RELEASED_MS = 2_000;
const shared = { share: 'import', instances: 2 };

export const drills = [
  {
    name: 'import-killed',
    when: 'an import is killed in the middle',
    promise: 'the old data version is served, nothing is half-done, and the next import goes through',
    run: killed,
  },
  {
    name: 'imports-at-once',
    when: 'two imports at once',
    promise: 'the second says that it waits, and then publishes; what is served is never half of one',
    run: atOnce,
  },
  {
    name: 'import-disk-full',
    when: 'the disk of the database is full during an import',
    promise:
      'the import says so and ends with 1, the old data version is served, and with room again the import goes through',
    run: diskFull,
  },
];

async function killed({ cluster, short, say, defer }) {
  const it = await cluster(shared);
  const rounds = await vintages(it, short ? 1 : 4, short ? 3_000 : 20_000);
  const run = await readers(it);
  const [wrong, released] = [[], []];
  let outcomes = 0;
  for (const [round, files] of rounds.entries()) {
    const before = await fingerprint(it);
    const { dataVersion: held } = await newest(it);
    let committed = false;
    for (const moment of short ? ['reading', 'deriving changes', 'publishing'] : PHASES) {
      const importing = start(it, defer, ['import', 'worldbank', '--accept', files]);
      await importing.says(`: ${moment}`);
      // The full form also kills later in a phase, not only at its beginning.
      await new Promise((resolve) => setTimeout(resolve, round * 150));
      importing.child.kill('SIGKILL');
      await importing.ended;
      released.push(await until(30_000, 'the lock to be free', async () => (await publishing(it)) === 0));
      committed = (await newest(it)).dataVersion > held;
      // The commit left before the signal arrived: then all of it must be stored, as the import below checks.
      if (committed) break;
      const others = differing(before, await fingerprint(it));
      if (others.length > 0) wrong.push(`${moment}: ${others.join(', ')}`);
    }
    const { code, out, error } = await it.cli(['import', 'worldbank', '--accept', files, '--json']);
    const outcome = code === 0 ? JSON.parse(out).reports[0].outcome : error.trim();
    if (outcome === (committed ? 'unchanged' : 'published')) outcomes += 1;
    say(
      `round ${round + 1}: ${released.length} kills so far${committed ? ', the last after its commit' : ''}; then ${outcome}`,
    );
    await served(it, (await newest(it)).dataVersion);
  }
  const seen = await run.end();
  say(JSON.stringify(statuses(seen)));
  const slowest = Math.max(...released);
  return {
    checks: [
      noneFailed(seen, failures(seen)),
      never(`of ${released.length} kills, those after which something was half-done`, wrong),
      inTime('ms until a killed import no longer blocks another', RELEASED_MS, slowest),
      exactly('complete imports afterwards', rounds.length, outcomes),
    ],
    figures: { kills: released.length, slowestReleaseMs: slowest, p99: p99(seen) },
  };
}

async function atOnce({ cluster, short, say, defer }) {
  const it = await cluster(shared);
  const [first, second] = await vintages(it, 2, short ? 3_000 : 20_000);
  const run = await readers(it);
  const { dataVersion: held } = await newest(it);
  // However fast the machine is, the first import is running when the second begins: a lock keeps it from writing its
  // data version.
  const letGo = await heldUp(it, defer);
  const one = start(it, defer, ['import', 'worldbank', '--accept', first]);
  await one.says(': storing');
  const other = start(it, defer, ['import', 'worldbank', '--accept', second]);
  const waitedFrom = await other.says('waiting: another publication is running').then(() => performance.now());
  const firstHeld = one.child.exitCode === null && other.child.exitCode === null;
  await letGo();
  const [oneEnd, otherEnd] = await Promise.all([one.ended, other.ended]);
  const waited = performance.now() - waitedFrom;
  const numbers = [one, other].map(({ output }) => Number(/data version (\d+)/.exec(output())?.[1]));
  await served(it, numbers[1]);
  const seen = await run.end();
  say(`data versions ${held} → ${numbers.join(', ')}; ${JSON.stringify(statuses(seen))}`);
  return {
    checks: [
      noneFailed(seen, failures(seen)),
      holds('the second says that it waits, while the first runs', firstHeld),
      exactly('exit codes', '0, 0', `${oneEnd.code}, ${otherEnd.code}`),
      exactly('data versions published, one after the other', `${held + 1}, ${held + 2}`, numbers.join(', ')),
    ],
    figures: { waitedMs: waited, p99: p99(seen) },
  };
}

/** Free megabytes: from too few for the staging tables to too few for the last writes. */
const ROOMS = { short: [3], full: [4, 8, 16, 24] };

async function diskFull({ cluster, short, say, defer }) {
  const it = await cluster(shared);
  const [files] = await vintages(it, 1, short ? 12_000 : 57_000);
  const [lines, unlike, outcomes] = [[], [], []];
  const all = [];
  for (const room of ROOMS[short ? 'short' : 'full']) {
    const disk = await onSmallDisk(it, defer, { freeMegabytes: room, logElsewhere: true });
    if (disk === null) {
      return { notRun: 'only root may mount a small disk' };
    }
    // The server was restarted, so the newest data version that the instances cached proves nothing.
    await answersAgain(it, (await it.key()).text);
    const run = await readers(it);
    const before = await fingerprint(it);
    const { code, error } = await it.cli(['import', 'worldbank', '--accept', files]);
    const others = differing(before, await fingerprint(it));
    if (others.length > 0) unlike.push(`${room} MB: ${others.join(', ')}`);
    const seen = await run.end();
    all.push(...seen);
    lines.push(`${code}, ${error.trim().split('\n').at(-1)}`);
    say(`${room} MB of room: ${lines.at(-1)}; ${JSON.stringify(statuses(seen))}`);
    disk.grow();
    const again = await it.cli(['import', 'worldbank', '--accept', files, '--json']);
    outcomes.push(again.code === 0 ? JSON.parse(again.out).reports[0].outcome : again.error.trim());
    await disk.away();
  }
  const through = outcomes.filter((outcome) => outcome === 'published');
  return {
    checks: [
      noneFailed(all, failures(all)),
      never(
        'imports that end otherwise than with 1 and one line that names the reason',
        lines.filter((line) => line !== '1, tidemark: the disk of the database server is full'),
      ),
      never('times that stored or served content changed', unlike),
      exactly('the same imports, with room again: published', lines.length, through.length),
    ],
    figures: { p99: p99(all) },
  };
}

/** Readers through the load balancer until the end. */
async function readers(it) {
  const keys = await it.keys(30, 'developer');
  const load = startLoad({ url: it.url, rate: 30, keys, asks: ASKS });
  await load.seconds(0.5);
  return { end: () => load.stop() };
}

async function newest(it) {
  const [row] = await it.postgres.query(
    'SELECT max(data_version) AS "dataVersion", max(vintage_day)::text AS day FROM publications',
  );
  return row;
}

/** Folders of generated World Bank vintages, each newer than the stored one. */
async function vintages(it, count, observations) {
  const { day: last } = await newest(it);
  const folder = await mkdtemp(path.join(it.folder, 'vintages-'));
  const days = Array.from({ length: count }, (_, at) => {
    const day = new Date(`${last}T00:00:00Z`);
    day.setUTCDate(day.getUTCDate() + at + 1);
    return day.toISOString().slice(0, 10);
  });
  await generate(folder, { observations, regions: 67, vintages: days });
  // A folder with one day-named folder: the day comes from the name.
  return Promise.all(
    days.map(async (day) => {
      const own = path.join(folder, `only-${day}`);
      await mkdir(own);
      await rename(path.join(folder, day), path.join(own, day));
      return own;
    }),
  );
}

/** The command line as a process that the drill can watch and kill. */
function start(it, defer, words) {
  const child = spawn(process.execPath, [path.join(ROOT, 'dist/cli.js'), ...words], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: it.folder,
      DATABASE_URL: it.postgres.urlForService('api'),
      DATABASE_IMPORT_URL: it.postgres.urlForService('import'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  defer(() => child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  return {
    child,
    ended,
    output: () => said,
    says: (text) =>
      until(180_000, `the import to say "${text}"`, () => said.includes(text) || child.exitCode !== null, 2),
  };
}

/**
 * Keeps every import from writing its data version, without disturbing readers.
 * @returns {Promise<() => Promise<void>>} releases the lock
 */
async function heldUp(it, defer) {
  const client = new pg.Client({ connectionString: it.postgres.url('admin') });
  client.on('error', () => undefined);
  await client.connect();
  const letGo = () => client.end().catch(() => undefined);
  defer(letGo);
  await client.query('BEGIN');
  await client.query('LOCK TABLE publications IN SHARE MODE');
  return letGo;
}

/** The number of imports that publish or wait; a killed one counts until the server has noticed. */
async function publishing(it) {
  const rows = await it.postgres.query(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'tidemark-cli-import'`);
  return rows.length;
}

/** Waits until every instance serves the data version. */
async function served(it, dataVersion) {
  await until(10_000, `dataVersion ${dataVersion} to be served`, async () => {
    const reports = await Promise.all(
      it.instances.map(({ url }) => fetch(`${url}/health/ready`).then((one) => one.json())),
    );
    return reports.every((report) => report.database === 'up' && report.dataVersion === dataVersion);
  });
}

const COUNTED = [
  'publications',
  'series',
  'observations',
  'changes',
  'signals',
  'briefs',
  'search_documents',
  'resource_families',
];

/** The stored content, as counts and the newest data version, and the served content, byte by byte; by what it is of. */
async function fingerprint(it) {
  const counts = COUNTED.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`).join(', ');
  const [held] = await it.postgres.query(`SELECT ${counts}, (SELECT max(data_version) FROM publications) AS newest`);
  const key = await it.key();
  const parts = new Map([['stored', JSON.stringify(held)]]);
  for (const [at, { url }] of it.instances.entries()) {
    for (const ask of ASKS) {
      const { status, headers, body } = await send(url, ask, key.text, { keepBody: true });
      // The remaining budget of the account is no content.
      const content = String(body).replace(/"tidemark\/rateLimit":\{(?:[^{}]|\{[^{}]*\})*\}/g, '');
      const hash = createHash('sha256')
        .update(JSON.stringify([headers.etag, content]))
        .digest('hex');
      parts.set(`${ask.name} of instance ${at + 1}`, `${status}, ${hash.slice(0, 16)}`);
    }
  }
  return parts;
}

/** What two fingerprints differ in, with what each has. */
const differing = (before, after) =>
  [...before].flatMap(([what, one]) => (one === after.get(what) ? [] : [`${what}: ${one} → ${after.get(what)}`]));
