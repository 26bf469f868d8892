// `node bench/watching.mjs [--rounds N] [--seconds S]`: compares the cost of a request with and without metrics and
// traces.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/free-port.mjs';
import { CHANGES, openStage, sampleOf, startOurs } from './contenders.mjs';
import { conditions, median, rounded, spread, table } from './medians.mjs';
import { CONNECTIONS, round } from './rounds.mjs';
import { measuring } from './workspace.mjs';

const { values: options } = parseArgs({ options: { rounds: { type: 'string' }, seconds: { type: 'string' } } });
const rounds = Number(options.rounds ?? 3);
const seconds = Number(options.seconds ?? 1.2);

await measuring(async (defer) => {
  const stage = await openStage(defer, { accounts: 1_600, vintages: 2 });
  const collector = await startCollector(defer);
  const start = async (name, environment) => {
    const own = { ...stage, environment: { ...stage.environment, ...environment } };
    return { ...(await startOurs(defer, own, {})), name };
  };
  const metrics = { METRICS_PORT: String(await freePort()) };
  const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' };
  const servers = [
    await start('neither', {}),
    await start('metrics', metrics),
    await start('traces, 1 in 100', { ...traces, OTEL_TRACES_SAMPLER_ARG: '0.01' }),
    await start('traces, all', { ...traces, OTEL_TRACES_SAMPLER_ARG: '1' }),
  ];
  const { headers } = await sampleOf(servers[0], CHANGES, stage.keys[0]);
  let asked = 0;
  const questions = [
    { name: 'cache hit', expected: 200, ask: () => ({ path: CHANGES }) },
    { name: '304', expected: 304, ask: () => ({ path: CHANGES, headers: { 'if-none-match': headers.etag } }) },
    {
      name: 'cache miss',
      expected: 200,
      ask: () => ({ path: `${CHANGES}&until=${new Date(Date.UTC(2027, 0, 1) + (asked += 1)).toISOString()}` }),
    },
  ];
  const cells = questions.flatMap((question) => servers.map((server) => ({ question, server, rounds: [] })));
  const shared = { postgres: stage.postgres, redis: null, countedInRedis: () => 0 };
  for (let turn = 0; turn <= rounds; turn += 1) {
    for (const { question, server, rounds: measured } of cells) {
      const ask = (key) => {
        const { path, headers: more } = question.ask();
        return { path, headers: { authorization: `Bearer ${key}`, ...more } };
      };
      const { expected } = question;
      const result = await round({ server, seconds, ask, expected, keys: stage.keys, shared });
      if (turn > 0) measured.push((result.cpu.server / result.requests) * 1e6);
    }
    console.error(turn === 0 ? 'warmed up' : `round ${turn} of ${rounds}`);
  }
  console.log(`\n${conditions([])}; ${rounds} rounds of ${seconds} s, ${CONNECTIONS} connections`);
  for (const { name } of questions) {
    const group = cells.filter((cell) => cell.question.name === name);
    const base = group[0].rounds;
    const lines = group.map(({ server, rounds: measured }) => [
      server.name,
      spread(measured),
      rounded(median(measured.map((value, at) => value - base[at])), 1),
    ]);
    console.log(`\n${table([name, 'µs of CPU a request', 'more than neither'], lines)}`);
  }
});

/** Accepts any data and discards it. */
async function startCollector(defer) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  defer(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${server.address().port}`;
}
