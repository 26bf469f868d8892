import { loadPeppers } from './access/peppers.js';
import { ConfigError, readConfig } from './config/config.js';
import { openConnections } from './database/connections.js';
import { migrate } from './database/migrate.js';
import { requireFitRole } from './database/role-check.js';
import { isUnconfigured, loadFigures, makeDemo } from './first-start.js';
import { Log } from './log/log.js';
import { hostInUrl, startServer, type RunningServer } from './server.js';
import { greeting } from './greeting.js';
import { plainReason } from './plain-reason.js';

/** `npm start`: from nothing configured to an answering service. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const terminal = process.stdout.isTTY;
  const log = new Log(config.logLevel, terminal);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort(signal));

  const say = (line: string) => process.stdout.write(`${line}\n`);
  const connections = await openConnections(config, say, stopping.signal);
  let server: RunningServer | undefined;
  try {
    const peppers = await loadPeppers(config);
    if (connections.engine === 'embedded') await migrate(connections);
    else await requireFitRole(connections, config, (message) => log.warn(message));
    const start = { config, connections, peppers, say };
    if (isUnconfigured(start)) await loadFigures(start);
    const baseUrl = config.baseUrl ?? `http://${hostInUrl(config.host)}:${config.port}`;
    server = await startServer({ config, connections, peppers, log, baseUrl });
    // Only once the port is ours: a key that is shown once must not be made for nothing.
    const demo = isUnconfigured(start) ? await makeDemo(start) : null;
    say(greeting({ baseUrl, demo, engine: connections.engine }));
    await untilAborted(stopping.signal);
  } finally {
    await server?.close();
    await connections.release();
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const lines = error instanceof ConfigError ? error.lines : [plainReason(error)];
    for (const line of lines) process.stderr.write(`tidemark: ${line}\n`);
    process.exit(1);
  },
);
