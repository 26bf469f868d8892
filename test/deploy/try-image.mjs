// Runs an image as a deployment does: read-only, as its own user, with one writable folder.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import pg from 'pg';
import { freePort } from '../support/free-port.mjs';

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const FIXTURES = path.join(import.meta.dirname, '../fixtures/vintages');
const EMAIL = 'image@tidemark.example';

/**
 * Migrates, imports and serves with the image's own commands; throws at the first fault.
 * @param {{ engine: import('./engines.mjs').Engine, env: Record<string, string>, user: string, command: string[],
 * health: string[] }} image
 * @param {(line: string) => void} say
 */
export async function tryImage(image, say) {
  const database = await ownDatabase();
  try {
    const environment = { ...image.env, ...database.environment, PORT: String(await freePort()) };
    const once = (...words) => finished(image, environment, words);
    // The image does not contain the embedded engine, so a missing database URL must be an error.
    await refuses(finished(image, { ...environment, DATABASE_URL: '' }, image.command), 'DATABASE_URL');
    await database.makeLogins();
    say(`migrate: ${(await once('/app/dist/cli.js', 'migrate')).trim().split('\n').length} migrations`);
    const imported = await once('/app/dist/cli.js', 'import', 'worldbank', '--accept', '/import', '--json');
    say(`import: ${JSON.parse(imported).reports.length} data versions`);
    await once('/app/dist/cli.js', 'accounts', 'create', '--account', EMAIL, '--plan', 'developer');
    const key = (await once('/app/dist/cli.js', 'keys', 'create', '--account', EMAIL)).trim();
    await readOnly(image, environment);
    await serves(image, environment, key, say);
  } finally {
    await database.drop();
  }
}

async function serves(image, environment, key, say) {
  const began = performance.now();
  const server = start(image, environment, image.command);
  const base = `http://127.0.0.1:${environment.PORT}`;
  try {
    await answers(`${base}/health/ready`, 200, server);
    say(`/health/ready is 200 after ${((performance.now() - began) / 1_000).toFixed(1)} s`);
    await answers(`${base}/api/v1/changes`, 401, server);
    await answers(`${base}/api/v1/changes?limit=1`, 200, server, { authorization: `Bearer ${key}` });
    await finished(image, environment, image.health);
    await finished(image, environment, image.health.with(-1, 'ready'));
    say('one route is answered, and the health check of the image agrees');
  } finally {
    server.child.kill('SIGTERM');
  }
  const [code, signal] = await server.ended;
  if (code !== 0) throw new Error(`SIGTERM ended the server with ${code ?? signal}: ${server.said()}`);
  await refuses(finished(image, environment, image.health), '');
}

/** Only the data folder may be writable. */
async function readOnly(image, environment) {
  const tried = ['/app/x', '/x', '/tmp/x', '/etc/x', '/data/x'];
  const script = `for (const file of ${JSON.stringify(tried)}) try { require('fs').writeFileSync(file, ''); console.log(file) } catch {}`;
  const written = (await finished(image, environment, ['-e', script])).trim();
  if (written !== '/data/x') throw new Error(`these could be written: ${written.replace(/\n/g, ' ')}`);
}

async function answers(url, status, server, headers = {}) {
  const until = performance.now() + 60_000;
  let last = 'no answer';
  while (performance.now() < until && server.child.exitCode === null) {
    last = await fetch(url, { headers }).then(
      async (response) => `${response.status} ${await response.text()}`,
      (error) => String(error.cause?.code ?? error.message),
    );
    if (last.startsWith(`${status} `)) return;
    if (/^[45]/.test(last) && !last.startsWith('503')) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${url} is not ${status} but ${last.slice(0, 300)}; the server said: ${server.said()}`);
}

/** Runs one command of the image to its end: the entry point is node, and these are its arguments. */
async function finished(image, environment, words) {
  const command = start(image, environment, words);
  const [code, signal] = await command.ended;
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code ?? signal}: ${command.said()}`);
  return command.out();
}

async function refuses(command, word) {
  const failure = await command.then(
    () => null,
    (error) => error.message,
  );
  if (failure === null || !failure.includes(word)) throw new Error(`expected a refusal that names ${word}: ${failure}`);
}

function start({ engine, user }, environment, words) {
  const child = engine.run(words, { environment, user, imports: FIXTURES });
  let [out, said] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => ((out += text), (said = (said + text).slice(-2_000))));
  child.stderr.setEncoding('utf8').on('data', (text) => (said = (said + text).slice(-2_000)));
  return { child, out: () => out, said: () => said.trim(), ended: once(child, 'close') };
}

/** A database on the server with the logins of a real deployment: owner, publisher, API and accounts. */
async function ownDatabase() {
  const mark = randomBytes(4).toString('hex');
  const name = `tidemark_image_${mark}`;
  const logins = { web: 'tidemark_api', accounts: 'tidemark_account', publisher: 'tidemark_import' };
  const address = (login) => {
    const url = new URL(SERVER);
    url.pathname = `/${name}`;
    if (login !== null) [url.username, url.password] = [`tidemark_${login}_${mark}`, mark];
    return url.href;
  };
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  return {
    environment: {
      DATABASE_URL: address('web'),
      DATABASE_ACCOUNT_URL: address('accounts'),
      DATABASE_IMPORT_URL: address('publisher'),
      DATABASE_ADMIN_URL: address(null),
      KEY_PEPPER: `first:${randomBytes(24).toString('hex')}`,
      LOG_LEVEL: 'warn',
    },
    makeLogins: async () => {
      for (const [login, role] of Object.entries(logins)) {
        // The roles are those of all databases of the server.
        await asAdmin(`CREATE ROLE ${role} NOLOGIN`).catch((error) => {
          if (!/already exists/.test(error.message)) throw error;
        });
        await asAdmin(`CREATE ROLE tidemark_${login}_${mark} LOGIN PASSWORD '${mark}' IN ROLE ${role}`);
      }
    },
    drop: async () => {
      await asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      for (const login of Object.keys(logins)) await asAdmin(`DROP ROLE IF EXISTS tidemark_${login}_${mark}`);
    },
  };
}

async function asAdmin(sql) {
  const client = new pg.Client({ connectionString: SERVER, connectionTimeoutMillis: 5_000 });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
