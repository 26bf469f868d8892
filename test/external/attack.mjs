// Attacks a separate service on a loopback port with third-party tools: sqlmap, wapiti and slowhttptest, from Debian's
// packages of these names. By hand, because it takes half an hour: `npm run attack [-- --short] [tool …]`. `npm run
// attack -- generated [--requests=N] [--seed=S]` sends generated requests to another such service instead, `-- flows
// [--flows=N] [--minutes=N] [--seed=S]` uses the account page in random orders.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeKeys } from './attack-keys.mjs';
import { startProxy } from './attack-proxy.mjs';
import { timing } from './attack-timing.mjs';
import { slow, sqlmap, wapiti } from './attack-tools.mjs';
import { root, runCommand } from './command.mjs';
import { startService } from './service.mjs';

/** An account has 120 requests a minute: together these accounts have more than the tools can send. */
const ACCOUNTS = 60;
const TOOLS = ['slowhttptest', 'sqlmap', 'wapiti'];
/** Our own attack: whether response times reveal how close a guessed key is. */
const TIMING = 'timing';
/** Our own attack: generated requests. It runs alone, because it may crash the process. */
const GENERATED = 'generated';

/** Our own attack: random uses of the account page, by the suite whose slice `npm test` runs. */
const FLOWS = 'flows';

const short = process.argv.includes('--short');
const asked = process.argv.slice(2).filter((one) => !one.startsWith('--'));
const chosen = [TIMING, ...TOOLS].filter((tool) => asked.length === 0 || asked.includes(tool));
for (const tool of chosen.filter((one) => one !== TIMING)) {
  if ((await runCommand('which', [tool])).status !== 0) {
    console.error(`${tool} is not installed: apt-get install ${TOOLS.join(' ')}`);
    process.exit(2);
  }
}

const say = (line) => console.log(line);
const given = (name) => process.argv.find((one) => one.startsWith(`--${name}=`))?.split('=')[1];
if (asked.includes(FLOWS)) {
  const minutes = given('minutes');
  const { status } = spawnSync(
    process.execPath,
    [path.join(root, 'node_modules/jest/bin/jest.js'), '--maxWorkers=1', 'test/http/account-flows'],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        TIDEMARK_PROPERTY_RUNS: given('flows') ?? (short ? '500' : '5000'),
        TIDEMARK_PROPERTY_SEED: given('seed') ?? 'random',
        ...(minutes !== undefined && { TIDEMARK_PROPERTY_MINUTES: minutes }),
      },
    },
  );
  process.exit(status ?? 1);
}
if (asked.includes(GENERATED)) {
  const count = Number(given('requests') ?? (short ? 5_000 : 100_000));
  const seed = Number(given('seed') ?? Math.floor(Math.random() * 2 ** 31));
  const { generated } = await import('./attack-generated.mjs');
  const wrong = await generated({ count, seed, say });
  for (const line of wrong) say(`FOUND ${line}`);
  say(`\n${wrong.length === 0 ? 'Nothing found' : `${wrong.length} found`} by ${GENERATED}`);
  process.exit(wrong.length === 0 ? 0 : 1);
}
const folder = await mkdtemp(path.join(tmpdir(), 'tidemark-attack-'));
const service = await startService({ LOG_LEVEL: 'warn' });
const found = [];
try {
  const keys = await makeKeys(service.dataDir, ACCOUNTS);
  const proxy = await startProxy({ target: service.url, keys });
  const document = await (await fetch(`${service.url}/docs/openapi.json`)).json();
  const attack = {
    timing: () => timing({ url: service.url, keys, rounds: short ? 500 : 3_000, say }),
    slowhttptest: () => {
      let next = 0;
      const key = () => keys[(next += 1) % keys.length];
      return slow({ url: service.url, key, connections: 1_000, seconds: short ? 10 : 60, say });
    },
    sqlmap: () => sqlmap({ document, base: proxy.url, folder, level: short ? 1 : 2, say }),
    wapiti: () => wapiti({ document, base: proxy.url, folder, seconds: short ? 30 : 120, say }),
  };
  for (const tool of chosen) {
    const startedAt = performance.now();
    const before = proxy.seen.requests;
    say(`${tool} …`);
    found.push(...(await attack[tool]()).map((line) => `${tool}: ${line}`));
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    say(`  ${seconds} s, ${proxy.seen.requests - before} requests through the proxy`);
  }
  say(`statuses of ${proxy.seen.requests} requests: ${JSON.stringify(proxy.seen.statuses)}`);
  found.push(...new Set(proxy.seen.wrong));
  const alive = await fetch(`${service.url}/api/v1/coverage`, { headers: { authorization: `Bearer ${keys[0]}` } });
  // The tools may have spent this key's minute.
  if (alive.status !== 200 && alive.status !== 429) found.push(`afterwards the service answers ${alive.status}`);
  const failures = service
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));
  found.push(...failures.slice(0, 20).map((line) => `logged: ${line}`));
  await proxy.close();
} finally {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}
for (const line of found) say(`FOUND ${line}`);
say(`\n${found.length === 0 ? 'Nothing found' : `${found.length} found`} by ${chosen.join(', ')}`);
process.exit(found.length === 0 ? 0 : 1);
