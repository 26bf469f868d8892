import { createHmac } from 'node:crypto';
import { Agent } from 'node:http';
import { URLSearchParams } from 'node:url';
import { built } from '../../../bench/workspace.mjs';
import { between, p50, p99, request, send, startLoad, statuses } from '../cluster/load.mjs';
import { inTime, moreThanNone } from './checks.mjs';

const HOSTILE = 20;
/** Connections of each hostile address, which sends its next form when the last has a response. */
const CONNECTIONS = 2;
const PEOPLE = 20;
const PASSWORD = 'tide and moon 47';
const INVENTED = 'A'.repeat(43);
const COOKIE = 'x'.repeat(43);
const FORM = createHmac('sha256', COOKIE).update('form').digest('base64url');
/** The share of other people's requests that may fail or take longer than twice the quiet time. */
const MOST_FAILED = 0.01;

export const drill = {
  name: 'strangers',
  when: `${HOSTILE} addresses without a key send every form of the account page`,
  promise: 'others sign in, from known and new networks, and use the API: 99 % within twice the quiet time',
  async run({ cluster, short, defer, say }) {
    const it = await cluster({ instances: 2, environment: { LOG_LEVEL: 'warn' } });
    const people = await peopleOf(it);
    const forms = await formPaths();
    const [key] = await it.keys(1, 'developer');
    const asks = [...people.map(knownSignIn), ...people.map(newSignIn)];
    const [quietSeconds, hostileSeconds] = short ? [15, 30] : [60, 300];
    const api = request('/api/v1/changes?limit=5');
    const load = startLoad({ url: it.url, rate: 3, keys: [key], asks });
    const calls = startLoad({ url: it.url, rate: 2, keys: [key], asks: [api] });
    // Each person is known in their network from here on.
    await load.seconds(PEOPLE);
    const quietFrom = performance.now();
    await load.seconds(quietSeconds);
    const hostileFrom = performance.now();
    const strangers = attack(it.url, forms, people, defer);
    await load.seconds(hostileSeconds);
    const hostileTo = performance.now();
    const attempts = await strangers.stop();
    const [signIns, requests] = [await load.stop(), await calls.stop()];
    say(`${forms.length} forms; strangers: ${JSON.stringify(statuses(attempts))}`);
    const outcome = { checks: [moreThanNone('forms sent by strangers', attempts.length)], figures: {} };
    const groups = {
      'sign-ins from a known network': [signIns.filter(({ ask }) => ask === 'known'), 303],
      'sign-ins from a new network': [signIns.filter(({ ask }) => ask === 'new'), 303],
      'API requests': [requests, 200],
    };
    for (const [what, [seen, wanted]] of Object.entries(groups)) {
      const quiet = between(seen, quietFrom, hostileFrom).filter(({ status }) => status === wanted);
      const busy = between(seen, hostileFrom, hostileTo);
      const most = 2 * p99(quiet);
      const failed = busy.filter(({ status }) => status !== wanted);
      const slow = busy.filter(({ status, ms }) => status === wanted && ms > most);
      say(
        `${what}: ${quiet.length} quiet, p50 ${p50(quiet).toFixed(0)} ms, p99 ${p99(quiet).toFixed(0)} ms; ` +
          `${busy.length} under attack, p50 ${p50(busy).toFixed(0)} ms, p99 ${p99(busy).toFixed(0)} ms; ` +
          `${failed.length} failed ${JSON.stringify(statuses(failed))}, ${slow.length} took longer than ${most.toFixed(0)} ms`,
      );
      outcome.checks.push(
        inTime(
          `${what}: % failed or slow`,
          100 * MOST_FAILED,
          (100 * (failed.length + slow.length)) / busy.length,
        ),
      );
      outcome.figures[what] = {
        quiet: { count: quiet.length, p50: p50(quiet), p99: p99(quiet) },
        busy: {
          count: busy.length,
          p50: p50(busy),
          p99: p99(busy),
          failed: failed.length,
          slow: slow.length,
        },
      };
    }
    return outcome;
  },
};

/** The paths of all forms, from the metadata of their routes. */
async function formPaths() {
  const { AccountModule } = await built('site/account/account.module.js');
  const paths = Reflect.getMetadata('controllers', AccountModule).flatMap((controller) => {
    const base = Reflect.getMetadata('path', controller);
    return Object.getOwnPropertyNames(controller.prototype)
      .map((name) => controller.prototype[name])
      .filter((handler) => handler instanceof Function && Reflect.getMetadata('method', handler) === 1)
      .map((handler) =>
        `/${base}/${Reflect.getMetadata('path', handler)}`.replace(/\/+/g, '/').replace(/\/$/, ''),
      );
  });
  return [...new Set(paths)].sort();
}

/** Accounts with a password. */
async function peopleOf(it) {
  const { Passwords } = await built('access/passwords.js');
  const accounts = await it.keys(PEOPLE, 'free');
  const hash = await new Passwords().hash(PASSWORD);
  for (const { accountId } of accounts) {
    await it.postgres.query(
      'INSERT INTO account_passwords (account_id, hash, changed_at) VALUES ($1, $2, now())',
      [accountId, hash],
    );
  }
  return accounts.map(({ email }) => email);
}

/** A form as a browser at this address of the machine sends it. */
function form(path, fields, localAddress) {
  const body = new URLSearchParams({ form: FORM, ...fields }).toString();
  const headers = {
    ...{ accept: 'text/html', 'sec-fetch-site': 'same-origin', cookie: `tidemark-local=${COOKIE}` },
    ...{ 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length },
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

/** Each address sends every form in turn, about itself and about the people, with passwords that are wrong. */
function attack(url, forms, people, defer) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const seen = [];
  let going = true;
  defer(() => (going = false));
  const stranger = async (address, first) => {
    for (let count = first; going; count += 1) {
      const email = count % 2 === 0 ? people[count % people.length] : `stranger-${count}@mail.example`;
      const fields = { email, password: `wrong password ${count}`, token: INVENTED, link: 'sign_in' };
      const make = () => form(forms[count % forms.length], fields, address);
      seen.push(await send(url, { name: 'hostile', make }, '', { agent }));
    }
  };
  const all = Array.from({ length: HOSTILE * CONNECTIONS }, (_, index) =>
    stranger(`127.1.0.${(index % HOSTILE) + 1}`, index * 7),
  );
  return {
    stop: async () => {
      going = false;
      await Promise.all(all);
      agent.destroy();
      return seen;
    },
  };
}
