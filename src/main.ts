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
import { Stopping, type StopSignal } from './stopping.js';

/** After the grace: what is begun is answered, and everything given back. */
const CLOSE_MS = 7_500;
/** With a database of its own, it also has that to stop, and on the first start its figures to load before that. */
const CLOSE_EMBEDDED_MS = 60_000;

/** `npm start`: from nothing configured to an answering service. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const terminal = process.stdout.isTTY;
  const log = new Log(config.logLevel, terminal);
  // No load balancer has to see that somebody pressed Ctrl-C.
  const graceOf = (by: StopSignal | null) => (by === 'SIGTERM' ? config.drainSeconds * 1_000 : 0);
  const closeMs = config.database.api === null ? CLOSE_EMBEDDED_MS : CLOSE_MS;
  const stopping = new Stopping((by) => graceOf(by) + closeMs);

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
    if (stopping.signal.aborted) return;
    server = await startServer({ config, connections, peppers, log, baseUrl });
    // Only once the port is ours: a key that is shown once must not be made for nothing.
    const demo = isUnconfigured(start) ? await makeDemo(start) : null;
    say(greeting({ baseUrl, demo, engine: connections.engine }));
    await stopping.asked();
  } finally {
    const graceMs = graceOf(stopping.by);
    if (server !== undefined) {
      log.info(graceMs > 0 ? `stopping: answering for another ${graceMs / 1_000} s` : 'stopping');
    }
    await server?.close(graceMs);
    await connections.release();
    if (server !== undefined) log.info('stopped');
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const lines = error instanceof ConfigError ? error.lines : [plainReason(error)];
    for (const line of lines) process.stderr.write(`tidemark: ${line}\n`);
    process.exit(1);
  },
);
