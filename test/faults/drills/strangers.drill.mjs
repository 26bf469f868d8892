import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { URLSearchParams } from 'node:url';
import { built } from '../../../bench/workspace.mjs';
import { between, p50, quantile, request, startLoad, statuses } from '../cluster/load.mjs';
import { atMost, inTime, moreThanNone } from './checks.mjs';

const HOSTILE = 20;
/**
 * Forms a second of each hostile address, whether or not earlier ones have a response: six times what it is allowed.
 * More would measure what the generator leaves of two cores.
 */
const FORMS_PER_SECOND = 3;
const PEOPLE = 20;
const PASSWORD = 'tide and moon 47';
const INVENTED = 'A'.repeat(43);
const COOKIE = 'x'.repeat(43);
const FORM = createHmac('sha256', COOKIE).update('form').digest('base64url');
/** The share of other people's requests that may fail. */
const MOST_FAILED = 0.01;
/** Others' times under attack may be so many times their quiet ones. */
const MOST_SLOWER = 2;
const p95 = (seen) => quantile(seen, 0.95);

export const drill = {
  name: 'strangers',
  when: `${HOSTILE} addresses without a key each send ${FORMS_PER_SECOND} forms a second, of every form of the account page`,
  promise: 'others sign in, from known and new networks, and use the API: 99 % succeed, within twice the quiet time',
  /** Quiet and hostile phases alternate, so that both see the same machine. */
  async run({ cluster, short, defer, say }) {
    const it = await cluster({ instances: 2, environment: { LOG_LEVEL: 'warn' } });
    const people = await peopleOf(it);
    const forms = await formPaths();
    const asks = people.flatMap((email, index) => [knownSignIn(email, index), newSignIn(email)]);
    // Two keys, because two requests a second are all that the plan of one allows.
    const keys = await it.keys(2, 'developer');
    const load = startLoad({ url: it.url, rate: 3, keys, asks });
    const calls = startLoad({ url: it.url, rate: 2, keys, asks: [request('/api/v1/changes?limit=5')] });
    // Each person is known in their network from here on.
    await load.seconds(PEOPLE);
    const [rounds, quietSeconds, hostileSeconds] = short ? [2, 12, 12] : [5, 30, 60];
    const attempts = [];
    let cpuSeconds = 0;
    const phases = { quiet: [], hostile: [] };
    for (let round = 0; round < rounds; round += 1) {
      const quietFrom = performance.now();
      await load.seconds(quietSeconds);
      const hostileFrom = performance.now();
      const cpuBefore = await cpuOf(it);
      const strangers = attack(it.url, forms, people, defer);
      await load.seconds(hostileSeconds);
      cpuSeconds += (await cpuOf(it)) - cpuBefore;
      phases.quiet.push([quietFrom, hostileFrom]);
      phases.hostile.push([hostileFrom, performance.now()]);
      attempts.push(...(await strangers.stop()));
    }
    const [signIns, requests] = [await load.stop(), await calls.stop()];
    const during = (seen, spans) => spans.flatMap(([from, to]) => between(seen, from, to));
    say(
      `${forms.length} forms; strangers: ${JSON.stringify(statuses(attempts))}, ` +
        `p50 ${p50(attempts).toFixed(0)} ms, p95 ${p95(attempts).toFixed(0)} ms; ` +
        `the instances used ${((1_000 * cpuSeconds) / attempts.length).toFixed(1)} ms of CPU for each, with all else`,
    );
    const outcome = { checks: [moreThanNone('forms sent by strangers', attempts.length)], figures: {} };
    const groups = {
      'sign-ins from a known network': [signIns.filter(({ ask }) => ask === 'known'), 303],
      'sign-ins from a new network': [signIns.filter(({ ask }) => ask === 'new'), 303],
      'API requests': [requests, 200],
    };
    for (const [what, [seen, wanted]] of Object.entries(groups)) {
      const quiet = during(seen, phases.quiet).filter(({ status }) => status === wanted);
      const busy = during(seen, phases.hostile);
      const failed = busy.filter(({ status }) => status !== wanted);
      const times = (some) => `p50 ${p50(some).toFixed(0)} ms, p95 ${p95(some).toFixed(0)} ms`;
      say(
        `${what}: ${quiet.length} quiet, ${times(quiet)}; ${busy.length} under attack, ${times(busy)}; ` +
          `${failed.length} failed ${JSON.stringify(statuses(failed))}`,
      );
      outcome.checks.push(
        moreThanNone(`${what} in quiet`, quiet.length),
        atMost(`${what}: % failed under attack`, 100 * MOST_FAILED, (100 * failed.length) / busy.length),
        inTime(`${what}: p50 under attack, ms`, MOST_SLOWER * p50(quiet), p50(busy)),
        inTime(`${what}: p95 under attack, ms`, MOST_SLOWER * p95(quiet), p95(busy)),
      );
      const figures = (some) => ({ count: some.length, p50: p50(some), p95: p95(some) });
      outcome.figures[what] = { quiet: figures(quiet), hostile: { ...figures(busy), failed: failed.length } };
    }
    return outcome;
  },
};

/** @returns {Promise<number>} seconds of CPU that the instances have used, of all their threads */
async function cpuOf({ instances }) {
  const stats = await Promise.all(instances.map(({ pid }) => readFile(`/proc/${pid}/stat`, 'utf8')));
  const ticks = stats.map((stat) => stat.slice(stat.lastIndexOf(')')).split(' '));
  return ticks.reduce((sum, fields) => sum + Number(fields[12]) + Number(fields[13]), 0) / 100;
}

/** The paths of all forms, from the metadata of their routes. */
async function formPaths() {
  const { AccountModule } = await built('people/account.module.js');
  const paths = Reflect.getMetadata('controllers', AccountModule).flatMap((controller) => {
    const base = Reflect.getMetadata('path', controller);
    return Object.getOwnPropertyNames(controller.prototype)
      .map((name) => controller.prototype[name])
      .filter((handler) => handler instanceof Function && Reflect.getMetadata('method', handler) === 1)
      .map((handler) => `/${base}/${Reflect.getMetadata('path', handler)}`.replace(/\/+/g, '/').replace(/\/$/, ''));
  });
  return [...new Set(paths)].sort();
}

/** Accounts with a password. */
async function peopleOf(it) {
  const { Passwords } = await built('serve/access/sign-in/passwords.js');
  const accounts = await it.keys(PEOPLE, 'free');
  const hash = await new Passwords().hash(PASSWORD);
  for (const { accountId } of accounts) {
    await it.postgres.query('INSERT INTO account_passwords (account_id, hash, changed_at) VALUES ($1, $2, now())', [
      accountId,
      hash,
    ]);
  }
  return accounts.map(({ email }) => email);
}

/** A form as a browser at this address of the machine sends it. */
function form(path, fields, localAddress) {
  const body = new URLSearchParams({ form: FORM, ...fields }).toString();
  const headers = {
    accept: 'text/html',
    'sec-fetch-site': 'same-origin',
    cookie: `tidemark-local=${COOKIE}`,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': body.length,
  };
  return { method: 'POST', path, headers, body, localAddress };
}

const signIn = (email, address) => form('/account/sign-in', { email, password: PASSWORD }, address);

function knownSignIn(email, index) {
  return { name: 'known', make: () => signIn(email, `127.2.0.${index + 1}`) };
}

let networks = 0;
function newSignIn(email) {
  return {
    name: 'new',
    make: () => {
      networks += 1;
      return signIn(email, `127.${3 + (networks >> 8)}.${networks & 255}.1`);
    },
  };
}

/** Each address, in a network of its own, sends every form in turn, about itself and about the people. */
function attack(url, forms, people, defer) {
  const hostile = {
    name: 'hostile',
    make: () => {
      const address = sent % HOSTILE;
      const turn = Math.floor(sent / HOSTILE) + address;
      const path = forms[turn % forms.length];
      const email = turn % 3 === 0 ? people[sent % people.length] : `stranger-${sent}@mail.example`;
      const fields = { email, password: `wrong password ${sent}`, token: INVENTED, link: 'sign_in' };
      sent += 1;
      return form(path, fields, `127.${100 + address}.0.1`);
    },
  };
  const load = startLoad({ url, rate: HOSTILE * FORMS_PER_SECOND, keys: [{ text: '' }], asks: [hostile] });
  defer(() => load.stop());
  return load;
}
let sent = 0;
