import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { burst, p50, p99, startLoad, statuses } from '../cluster/load.mjs';
import { until } from '../cluster/until.mjs';
import { acquaint, answersAgain, FRESH, FRESH_TOOL, isRefusal, OWN, SHARED } from './database-questions.mjs';
import { atMost, inTime, noneDied } from './checks.mjs';

/** The most that an instance opens: ten for requests, one heartbeat, three for accounts, two for notifications. */
const CONNECTIONS = 10 + 1 + 3 + 2;
/** More concurrent requests than a pool has connections. */
const CLIENTS = 30;
/** Sockets of clients and of the load balancer come and go. */
const DESCRIPTORS_MORE = 20;

export const drills = [
  {
    name: 'database-slow',
    when: 'PostgreSQL takes 200 ms longer for each statement',
    promise: 'slow is not dead: every question is answered',
    run: slow,
  },
  {
    name: 'database-cycles',
    when: 'PostgreSQL is killed and comes back 50 times',
    promise: 'no instance dies, and no connection or descriptor is left behind',
    run: cycles,
  },
];

async function slow({ cluster, short, say }) {
  const it = await cluster(SHARED);
  const keys = await it.keys(40);
  await answersAgain(it, keys[0].text);
  await acquaint(it, keys);
  const lost = () => Promise.all(it.instances.map((one) => timesLost(one)));
  const before = await lost();
  await it.postgres.delay(100);
  // One request at a time: each response needs several statements, and each of them is slow.
  const load = startLoad({ url: it.url, rate: short ? 8 : 15, keys, keepBody: true, asks: [FRESH, OWN, FRESH_TOOL] });
  await load.seconds(short ? 4 : 30);
  const seen = await load.stop();
  await it.postgres.delay(0);
  const after = await lost();
  say(JSON.stringify(statuses(seen)));
  return {
    checks: [
      atMost(
        `of ${seen.length} requests that need the database, refused or failed`,
        0,
        seen.filter((one) => isRefusal(one) || one.status !== 200).length,
      ),
      atMost(
        'times that an instance considered it lost',
        0,
        after.reduce((sum, count, index) => sum + count - before[index], 0),
      ),
    ],
    figures: { requests: seen.length, p50: p50(seen), p99: p99(seen) },
  };
}

async function cycles({ cluster, short, say }) {
  const it = await cluster(SHARED);
  // Keys in turn, so that none exhausts its minute.
  const keys = await it.keys(CLIENTS * 4);
  const pids = it.instances.map(({ pid }) => pid);
  await askAtOnce(it, keys);
  const before = it.instances.map(descriptors);
  const rounds = short ? 4 : 50;
  const firsts = [];
  for (let round = 0; round < rounds; round += 1) {
    await askAtOnce(it, keys);
    await it.postgres.kill();
    await askAtOnce(it, keys);
    await it.postgres.start();
    firsts.push(await answersAgain(it, keys[round % keys.length].text));
  }
  await askAtOnce(it, keys);
  let open = await connections(it);
  await until(10_000, 'the last of the old connections to go', async () => {
    open = await connections(it);
    return open <= CONNECTIONS * it.instances.length;
  }).catch(() => undefined);
  const more = it.instances.map((one, index) => descriptors(one) - before[index]);
  say(`descriptors of each instance before: ${before.join(', ')}; more after: ${more.join(', ')}`);
  return {
    checks: [
      noneDied(it, pids),
      atMost('connections of all instances, as PostgreSQL counts them', CONNECTIONS * it.instances.length, open),
      atMost(
        'sockets of an instance to PostgreSQL, in whatever state',
        CONNECTIONS,
        Math.max(...it.instances.map(({ pid }) => socketsTo(pid, it.postgres.way.port))),
      ),
      atMost('descriptors of an instance, more than before', DESCRIPTORS_MORE, Math.max(...more)),
      inTime('ms from a return to the first success of the last instance', 2_000, Math.max(...firsts)),
    ],
    figures: { rounds, connections: open, descriptorsMore: Math.max(...more), slowestFirstMs: Math.max(...firsts) },
  };
}

/** To each instance, with the next key. */
function askAtOnce(it, keys) {
  const some = keys.splice(0, CLIENTS);
  keys.push(...some);
  return burst(it.instances.flatMap(({ url }) => some.map(({ text }) => ({ url, ask: FRESH, key: text }))));
}

async function connections(it) {
  const [row] = await it.postgres.query(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name LIKE 'tidemark-%'`,
  );
  return row.count;
}

/** Columns of /proc/net/tcp. */
const [LOCAL, REMOTE] = [1, 2];

const socketsTo = (pid, port) => socketsWith(pid, port, REMOTE);

/** Sockets that the process still holds, connected or not, by the port of one end. */
function socketsWith(pid, port, end) {
  const suffix = `:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = ['tcp', 'tcp6'].flatMap((file) =>
    readFileSync(`/proc/${pid}/net/${file}`, 'utf8').trim().split('\n').slice(1),
  );
  const inodes = new Set(
    rows
      .map((row) => row.trim().split(/\s+/))
      .filter((fields) => fields[end].endsWith(suffix))
      .map((fields) => `socket:[${fields[9]}]`),
  );
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => inodes.has(target(`/proc/${pid}/fd/${fd}`))).length;
}

function target(link) {
  try {
    return readlinkSync(link);
  } catch {
    // Closed since the listing.
    return null;
  }
}

/** Without the connections of nginx, of which one instance has dozens idle and the next has none. */
function descriptors({ pid, url }) {
  return readdirSync(`/proc/${pid}/fd`).length - socketsWith(pid, new URL(url).port, LOCAL);
}

async function timesLost(instance) {
  return (instance.output().match(/the database does not answer/g) ?? []).length;
}
