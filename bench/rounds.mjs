// One round: a fixed number of connections send requests to one server for a while, and /proc shows the cost.
import autocannon from 'autocannon';
import { cpuSeconds, treeCpuSeconds } from './processes.mjs';

export const CONNECTIONS = 16;

/**
 * @param amount how many requests, each of them asked for once; without it, the prepared ones are repeated for `seconds`
 * @param rate requests a second; without it, as many as the server answers
 * @param ask returns the path and headers of the n-th request of a connection; connections share no key, so that no
 * account has two requests in flight.
 * @throws if any response has another status than `expected`: a round with errors measures nothing
 */
export async function round({ server, seconds, amount, rate, ask, expected, keys, shared }) {
  const perConnection = Math.floor(keys.length / CONNECTIONS);
  const each = amount === undefined ? perConnection : Math.ceil(amount / CONNECTIONS);
  let connection = 0;
  const setupClient = (client) => {
    const from = connection * perConnection;
    connection += 1;
    // A connection that replaced a broken one has no keys of its own; the errors below end the run.
    client.setRequests(Array.from({ length: each }, (_, at) => ask(keys[(from + (at % perConnection)) % keys.length])));
  };
  const before = costs(server, shared);
  const countedBefore = await shared.countedInRedis();
  const started = performance.now();
  const result = await autocannon({
    url: `http://127.0.0.1:${server.port}`,
    connections: CONNECTIONS,
    ...(amount === undefined ? { duration: seconds } : { amount }),
    ...(rate !== undefined && { overallRate: rate }),
    sampleInt: 100,
    setupClient,
  });
  const elapsed = (performance.now() - started) / 1_000;
  const after = costs(server, shared);
  const counted = (await shared.countedInRedis()) - countedBefore;
  const wrong = Object.entries(result.statusCodeStats).filter(([status]) => Number(status) !== expected);
  if (wrong.length > 0 || result.errors > 0 || result.timeouts > 0) {
    const statuses = wrong.map(([status, { count }]) => `${count} × ${status}`).join(', ');
    throw new Error(`${server.name}: ${statuses} ${result.errors} errors, ${result.timeouts} time-outs`);
  }
  const requests = result.requests.total;
  const cpu = Object.fromEntries(Object.keys(before).map((name) => [name, after[name] - before[name]]));
  return { requests, seconds: elapsed, latency: result.latency, cpu, counted };
}

function costs(server, { postgres, redis }) {
  const { user, system } = process.cpuUsage();
  return {
    server: cpuSeconds(server.pid),
    postgres: treeCpuSeconds(postgres),
    redis: redis === null ? 0 : cpuSeconds(redis),
    client: (user + system) / 1e6,
  };
}
