// `npm run cluster [-- --instances 3] [--replica] [--delayable redis,postgres]`: starts a cluster for manual tests.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { ROOT, within } from '../../../bench/workspace.mjs';
import { startCluster } from './cluster.mjs';

const { values: options } = parseArgs({
  options: {
    instances: { type: 'string', default: '3' },
    replica: { type: 'boolean', default: false },
    delayable: { type: 'string', default: '' },
  },
});
const build = spawnSync(process.execPath, [path.join(ROOT, 'scripts/build.mjs'), '--if-stale'], { stdio: 'inherit' });
if (build.status !== 0) process.exit(1);

const VERBS = ['stop', 'kill', 'freeze', 'thaw', 'start', 'restart'];
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopping.abort());

let undoing = () => undefined;
let failed = false;
await within(
  (step) => (undoing = step),
  async (defer) => {
    console.log('Starting PostgreSQL, Redis, the instances and nginx …');
    const it = await startCluster(defer, {
      instances: Number(options.instances),
      replica: options.replica,
      delayable: options.delayable.split(',').filter((name) => name !== ''),
    });
    const { text } = await it.key('developer');
    const parts = partsOf(it);
    console.log(introduction(it, parts, text));
    if (stopping.signal.aborted) return;
    const input = createInterface({ input: process.stdin, prompt: '> ' });
    defer(() => input.close());
    input.on('SIGINT', () => stopping.abort());
    input.on('line', (line) => void obey(parts, line.trim()).finally(() => input.prompt()));
    input.prompt();
    await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve, { once: true }));
    console.log('\nEnding all of it …');
  },
).catch((error) => {
  failed = true;
  console.error(error.message);
});
await undoing();
process.exit(failed ? 1 : 0);

function partsOf(it) {
  const named = { postgres: it.postgres, replica: it.replica, redis: it.redis, nginx: it.balancer };
  const instances = it.instances.map((one, index) => [String(index + 1), one]);
  return Object.fromEntries([...instances, ...Object.entries(named).filter(([, part]) => part !== null)]);
}

function introduction(it, parts, key) {
  const lines = Object.entries(parts).map(
    ([name, part]) =>
      `  ${name.padEnd(9)} pid ${String(part.pid).padEnd(8)} ${part.url instanceof Function ? part.url('admin') : part.url}`,
  );
  return [
    '',
    `Load balancer   ${it.url}`,
    `A key           ${key}   (Developer plan, 120 requests a minute)`,
    `  curl -H 'Authorization: Bearer ${key}' '${it.url}/api/v1/changes?limit=3'`,
    `MCP             ${it.url}/api/v1/mcp`,
    ...it.instances.map((one, index) => `Metrics of ${index + 1}    ${one.metricsUrl}`),
    '',
    ...lines,
    '',
    `Type what to do to which: ${VERBS.join(', ')}, log; with --delayable also delay, cut, mend.`,
    '  kill 2        freeze redis        restart postgres        delay redis 200        log 1',
    'Ctrl-C ends all of it.',
    '',
  ].join('\n');
}

async function obey(parts, line) {
  if (line === '') return;
  const [verb, name, value] = line.split(/\s+/);
  const part = parts[name];
  if (part === undefined) {
    console.log(`Which? One of ${Object.keys(parts).join(', ')}`);
    return;
  }
  try {
    if (verb === 'log') console.log(part.output().split('\n').slice(-20).join('\n'));
    else if (VERBS.includes(verb)) await part[verb]();
    else if (['delay', 'cut', 'mend'].includes(verb)) await part[verb](Number(value ?? 0));
    else {
      console.log(`What? One of ${VERBS.join(', ')}, log, delay, cut, mend`);
      return;
    }
    if (verb !== 'log') console.log(`${verb} ${name}: ${part.running ? `runs, pid ${part.pid}` : 'does not run'}`);
  } catch (error) {
    console.log(error.message);
  }
}
