import { Agent, request } from 'node:http';
import { crc32 } from 'node:zlib';

const built = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Above this t value, two samples count as different: the usual bound for timing leaks. */
const DIFFERS = 4.5;

/**
 * Whether the time of a refusal tells how near a guess is to a live key: guesses that share all but the last random
 * character with one, against guesses that share none, in turn, each from an address of its own among the loopback's,
 * so that the bound on failed attempts does not hide anything.
 * @returns {Promise<string[]>}
 */
export async function timing({ url, keys, rounds, say }) {
  const { makeKeyText, isKeyText } = await built('serve/access/keys/key-text.js');
  const near = () => nearTo(keys[Math.floor(Math.random() * keys.length)]);
  if (!isKeyText(near()) || keys.includes(near())) throw new Error('The near guess is no guess');
  const times = { near: [], far: [] };
  for (let round = 0; round < rounds + 50; round += 1) {
    for (const kind of round % 2 === 0 ? ['near', 'far'] : ['far', 'near']) {
      const { status, ms } = await ask(url, kind === 'near' ? near() : makeKeyText(), addressOf(round));
      if (status !== 401) return [`a guess was answered ${status}`];
      // Warm-up of the code that both use.
      if (round >= 50) times[kind].push(ms);
    }
  }
  const [one, other] = [kept(times.near), kept(times.far)];
  const t = (mean(one) - mean(other)) / Math.sqrt(variance(one) / one.length + variance(other) / other.length);
  const figures = `${mean(one).toFixed(3)} ms against ${mean(other).toFixed(3)} ms, t = ${t.toFixed(2)}`;
  say(`  ${rounds} guesses near a live key and ${rounds} far from one: ${figures}`);
  return Math.abs(t) > DIFFERS ? [`the time of a refusal tells how near a guess is: ${figures}`] : [];
}

/** Another last random character, with a correct checksum: only the database refuses it. */
function nearTo(key) {
  const last = LETTERS.indexOf(key[32]);
  const body = key.slice(0, 32) + LETTERS[(last + 1 + Math.floor(Math.random() * 61)) % 62];
  let [rest, digits] = [crc32(body), ''];
  for (let place = 0; place < 6; place += 1) {
    digits = LETTERS[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return body + digits;
}

/** Eight guesses per address, because an instance checks twenty a minute. */
function addressOf(round) {
  const number = Math.floor(round / 4);
  return `127.0.${1 + Math.floor(number / 250)}.${1 + (number % 250)}`;
}

function ask(url, key, localAddress) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false });
    const startedAt = performance.now();
    request({
      hostname,
      port,
      path: '/api/v1/topics',
      localAddress,
      agent,
      headers: { authorization: `Bearer ${key}` },
    })
      .on('error', reject)
      .on('response', (response) => {
        const ms = performance.now() - startedAt;
        response.resume().on('end', () => resolve({ status: response.statusCode, ms }));
      })
      .end();
  });
}

/** Without the slowest tenth, which the machine's other work causes. */
function kept(values) {
  return [...values].sort((a, b) => a - b).slice(0, Math.floor(values.length * 0.9));
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function variance(values) {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** 2));
}
