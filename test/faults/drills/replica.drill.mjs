import { send, startLoad, statuses, request } from '../cluster/load.mjs';
import { Way } from '../cluster/delay.mjs';
import { until } from '../cluster/until.mjs';
import { atMost, both, exactly, inTime, moreThanNone } from './checks.mjs';
import { answersAgain, FRESH, momentAnew } from './database-questions.mjs';

const PAGE = 5;
const TURNS = 4;
const SHARE = { share: 'replica', instances: 3, replica: true, delayable: ['replica'] };

export const drills = [
  {
    name: 'replica-lags',
    when: 'the read replica lags',
    promise: 'reads go to the primary; no answer of an older data version within one client’s walk',
    run: lags,
  },
  {
    name: 'replica-dies',
    when: 'the read replica is killed, and frozen',
    promise: 'reads go to the primary, without a failed request',
    run: dies,
  },
  {
    name: 'replicas-two',
    when: 'of two read replicas one is killed, then the other, and one lags',
    promise:
      'the other one serves, without a failed request; no page of an older data version within one client’s walk',
    run: two,
  },
];

async function lags({ cluster, short, defer, say }) {
  const it = await cluster(SHARE);
  // No account may reach its limit, least of all the account of the crossings.
  const [keys, walkers] = [await it.keys(40), await it.keys(short ? 40 : 200)];
  const way = await leadApart(it, defer);
  await everyReplica(it, 1);
  // It learns of each data version well after the others, without counting as lost.
  await way.delay(100);
  // Few enough that the late instance, whose statements take 200 ms more, has connections for all of them.
  const walks = startWalks(it, walkers, short ? 3 : 6);
  const rounds = short ? 2 : 10;
  const newest = [];
  const crossed = { tried: 0, backwards: 0, failed: 0 };
  let whileLagging = 0;
  const start = await servedBy(it);
  for (let round = 0; round < rounds; round += 1) {
    await it.replica.pauseReplay();
    const { tried } = crossed;
    // By chance the last instance polls just after a publication and knows of it as soon as the others.
    for (let turn = 0; turn < TURNS && crossed.tried === tried; turn += 1) {
      const { text } = keys[(round * TURNS + turn) % keys.length];
      // Looking up a key first would delay the instance for longer than it is late.
      await send(it.instances.at(-1).url, request('/api/v1/topics'), text);
      newest.push(await publish(it));
      await cross(it, text, newest.at(-1), crossed);
    }
    await until(10_000, 'the data version to be served', async () => (await versionOf(it, keys)) >= newest.at(-1));
    // Reads in progress on the replica end; from now on the primary serves.
    await walks.seconds(0.2);
    const { replica } = await servedBy(it);
    await walks.seconds(short ? 1 : 3);
    whileLagging += (await servedBy(it)).replica - replica;
    await it.replica.resumeReplay();
    await until(10_000, 'the replica to catch up', () => replicaAt(it, newest.at(-1)));
    await walks.seconds(short ? 1 : 3);
  }
  const walked = await walks.stop();
  await way.delay(0);
  const counts = await servedBy(it, start);
  say(`${walked.pages} pages in ${walked.walks} walks; responses from ${JSON.stringify(counts)}`);
  return {
    checks: [
      atMost('pages of an older data version than the page before', 0, walked.backwards + crossed.backwards),
      moreThanNone('second pages asked of an instance that did not know the data version of the first', crossed.tried),
      atMost('pages that failed', 0, walked.failed.length + crossed.failed),
      moreThanNone('walks that met a new data version on their way', walked.moved),
      both('responses from the replica, and from the primary', counts.replica, counts.primary),
      exactly('responses from the replica while it lagged', 0, whileLagging),
    ],
    figures: {
      rounds,
      crossed: crossed.tried,
      pages: walked.pages,
      walks: walked.walks,
      moved: walked.moved,
      ...counts,
    },
  };
}

async function dies({ cluster, short, say }) {
  const it = await cluster(SHARE);
  const keys = await it.keys(60);
  await answersAgain(it, keys[0].text);
  const start = await servedBy(it);
  const load = startLoad({ url: it.url, rate: short ? 40 : 100, keys, asks: [FRESH] });
  const seconds = short ? 1.5 : 8;
  const back = [];
  for (const [goes, returns] of [
    [() => it.replica.kill(), () => it.replica.start()],
    [() => it.replica.freeze(), () => it.replica.thaw()],
  ]) {
    await everyReplica(it, 1);
    await load.seconds(seconds);
    await goes();
    await load.seconds(seconds);
    await returns();
    back.push(await everyReplica(it, 1));
  }
  const seen = await load.stop();
  const counts = await servedBy(it, start);
  const slowest = Math.max(...seen.map(({ ms }) => ms));
  say(`${JSON.stringify(statuses(seen))}; responses from ${JSON.stringify(counts)}`);
  return {
    checks: [
      atMost(`of ${seen.length} requests, failed`, 0, seen.filter(({ status }) => status !== 200).length),
      inTime('ms until the slowest answer', 1_500, slowest),
      both('responses from the replica, and from the primary', counts.replica, counts.primary),
    ],
    figures: { requests: seen.length, slowestMs: slowest, usedAgainMs: Math.max(...back), ...counts },
  };
}

async function two({ cluster, short, say }) {
  const it = await cluster({ instances: 2, replica: 2 });
  const keys = await it.keys(short ? 40 : 200);
  await everyReplica(it, 2);
  const walks = startWalks(it, keys, short ? 3 : 6);
  const seconds = short ? 1.5 : 6;
  /** Responses from replicas meanwhile, after reads in progress have ended. */
  const servedMeanwhile = async () => {
    await walks.seconds(0.5);
    const { replica } = await servedBy(it);
    await walks.seconds(seconds);
    return (await servedBy(it)).replica - replica;
  };
  const alone = [];
  for (const one of it.replicas) {
    await one.kill();
    alone.push(await servedMeanwhile());
    await one.start();
    await everyReplica(it, 2);
  }
  const [late, current] = it.replicas;
  await late.pauseReplay();
  const newest = await publish(it);
  await until(10_000, 'the other replica to have it', async () => {
    const [row] = await current.query('SELECT max(data_version) AS newest FROM publications');
    return Number(row.newest) >= newest;
  });
  const whileLagging = await servedMeanwhile();
  await late.resumeReplay();
  const { pages, moved, backwards, failed } = await walks.stop();
  say(`${pages} pages; from a replica alone ${alone.join(' and ')}; while one lagged ${whileLagging}`);
  return {
    checks: [
      atMost(`of ${pages} pages, failed`, 0, failed.length),
      atMost('pages of an older data version than the page before', 0, backwards),
      moreThanNone('walks that met a new data version on their way', moved),
      both('responses from each replica while the other one was away', ...alone),
      moreThanNone('responses from a replica while the other one lagged', whileLagging),
    ],
    figures: { pages, alone, whileLagging },
  };
}

/** Requests the first page where the new data version is known first, and the second at once where it is known late. */
async function cross(it, key, dataVersion, crossed) {
  const [soon, late] = [it.instances[0], it.instances.at(-1)];
  const page = async ({ url }, more = '') => {
    const asked = request(`/api/v1/changes?limit=${PAGE}${more}`);
    const { status, body } = await send(url, asked, key, { keepBody: true });
    return status === 200 ? JSON.parse(body).meta : null;
  };
  let first = null;
  await until(10_000, 'the new data version', async () => {
    first = await page(soon);
    return first?.dataVersion === dataVersion;
  });
  const [next, itsOwn] = await Promise.all([page(late, `&cursor=${first.page.nextCursor}`), page(late)]);
  if (itsOwn !== null && itsOwn.dataVersion < dataVersion) crossed.tried += 1;
  if (next === null) crossed.failed += 1;
  else if (next.dataVersion < dataVersion) crossed.backwards += 1;
}

/** Connects the last instance to its primary through a slow proxy, and directly again after the drill. */
async function leadApart(it, defer) {
  const way = await Way.to(it.postgres.port, defer);
  const last = it.instances.at(-1);
  const lead = async (environment) => {
    await last.stop();
    last.change({ environment });
    await last.start();
  };
  defer(() => lead({}));
  await lead({ DATABASE_URL: it.postgres.url('api', way.port) });
  return way;
}

/** Clients that page through the changes, each page on the next instance. */
function startWalks(it, keys, clients) {
  const seen = { pages: 0, walks: 0, backwards: 0, moved: 0, failed: [] };
  let going = true;
  const walk = async (client) => {
    for (let turn = 0; going; turn += 1) {
      const list = `/api/v1/changes?limit=${PAGE}&until=${momentAnew()}`;
      let cursor = null;
      let last = 0;
      let moved = false;
      for (let page = 0; page < 12 && going; page += 1) {
        const { url } = it.instances[(client + turn + page) % it.instances.length];
        const key = keys[(client + turn * 7 + page) % keys.length].text;
        const path = cursor === null ? list : `${list}&cursor=${cursor}`;
        const { status, body, error } = await send(url, request(path), key, { keepBody: true });
        if (status === 429) break;
        if (status !== 200) {
          seen.failed.push(error ?? status);
          break;
        }
        const { meta } = JSON.parse(body);
        seen.pages += 1;
        if (meta.dataVersion < last) seen.backwards += 1;
        if (last > 0 && meta.dataVersion > last) moved = true;
        last = Math.max(last, meta.dataVersion);
        cursor = meta.page.nextCursor;
        // Slow enough for data versions to appear meanwhile, and for minutes not to be exhausted.
        await new Promise((resolve) => setTimeout(resolve, 60));
        if (cursor === null) break;
      }
      seen.walks += 1;
      if (moved) seen.moved += 1;
    }
  };
  const walking = Promise.all(Array.from({ length: clients }, (_, client) => walk(client)));
  return {
    seconds: (count) => new Promise((resolve) => setTimeout(resolve, count * 1_000)),
    stop: async () => {
      going = false;
      await walking;
      return seen;
    },
  };
}

/** A data version without content of its own: the drill tests which version serves, not its content. */
async function publish(it) {
  const [{ id }] = await it.postgres.query(
    `WITH made AS (
       INSERT INTO publications (data_version, published_at, kind, description)
       SELECT max(data_version) + 1, now(), 'import', 'a drill' FROM publications RETURNING data_version)
     UPDATE resource_families SET data_version = (SELECT data_version FROM made) WHERE family = 'changes' RETURNING data_version AS id`,
  );
  return Number(id);
}

async function versionOf(it, keys) {
  const answers = await Promise.all(
    it.instances.map(({ url }) => send(url, request('/api/v1/changes?limit=1'), keys[0].text, { keepBody: true })),
  );
  return Math.min(...answers.map(({ status, body }) => (status === 200 ? JSON.parse(body).meta.dataVersion : 0)));
}

async function replicaAt(it, dataVersion) {
  const at = await Promise.all(it.instances.map((one) => it.metric(one, 'tidemark_replica_data_version')));
  return at.every((one) => one >= dataVersion);
}

/** @returns {Promise<number>} milliseconds until each instance reports the replica so */
function everyReplica(it, up) {
  return until(
    20_000,
    'the replica',
    async () => {
      const states = await Promise.all(it.instances.map((one) => it.metric(one, 'tidemark_replica_up')));
      return states.every((state) => state === up);
    },
    50,
  );
}

/** Which server gave the responses since an earlier count. */
async function servedBy(it, { replica, primary } = { replica: 0, primary: 0 }) {
  const of = async (from) => {
    const counts = await Promise.all(
      it.instances.map((one) => it.metric(one, 'tidemark_content_reads_total', { from })),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };
  return { replica: (await of('replica')) - replica, primary: (await of('primary')) - primary };
}
