import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from './domain/config/config.js';
import { loadPeppers } from './serve/access/keys/peppers.js';
import { awaitSchema } from './commands/start/await-schema.js';
import { openConnections, type Connections } from './store/connections.js';
import { migrate } from './store/migrate.js';
import { requireFitRole } from './store/role-check.js';
import { renderStoredTexts, requireCatalogue } from './commands/start/render-stored-texts.js';
import { isUnconfigured, loadFigures, makeDemo } from './commands/start/first-start.js';
import { Log, logNodeWarnings } from './serve/log/log.js';
import { Metrics } from './serve/metrics/metrics.js';
import { IdleCollection } from './serve/http/overload/idle-collection.js';
import { WARM_UP } from './serve/http/warm-up.js';
import { hostInUrl, startServer, type RunningServer } from './server.js';
import { readCatalogue } from './publish/catalogue/catalogue.js';
import { startupBanner } from './commands/start/startup-banner.js';
import { ShutdownSignal, type ShutdownReason } from './commands/start/shutdown-signal.js';

/** After the drain: time for requests in progress and for releasing resources. */
const CLOSE_MS = 6_500;
/** Time for the embedded database to stop if the start is interrupted. After that, it stops without this process. */
const INTERRUPTED_MS = 600;

/** What a start has opened so far. */
interface Opened {
  connections?: Connections;
  server?: RunningServer;
}

/** Runs the service until it is stopped; returns the exit code. */
export async function runService(config: Config): Promise<number> {
  const log = new Log(config.logLevel, process.stdout.isTTY);
  logNodeWarnings(log);
  // A terminal has no load balancer to wait for.
  const graceOf = (by: ShutdownReason | null) => (by === null || by === 'SIGINT' ? 0 : config.drainSeconds * 1_000);
  const shutdown = new ShutdownSignal((by) => graceOf(by) + CLOSE_MS);
  const opened: Opened = {};
  const isInterrupted = () => opened.server === undefined && shutdown.signal.aborted;
  shutdown.watchUncaught({
    onRejection: (reason) => {
      // The steps of an interrupted start lose their database.
      if (isInterrupted()) return;
      log.failure(null, reason);
      opened.server?.app.get(Metrics).rejectionUnhandled();
    },
    onException: (error) => log.failure(null, error),
  });
  try {
    // An interrupted start ends at once: the database rolls back what was not published, and the next start goes on.
    await Promise.race([start(config, log, shutdown.signal, opened), shutdown.requested()]);
    await shutdown.requested();
    return shutdown.reason === 'uncaughtException' ? 1 : 0;
  } catch (error) {
    const full = await opened.connections?.fullDisk?.();
    throw full === undefined ? error : new Error(`the disk of ${full} is full: make room, and start again`);
  } finally {
    const { server, connections } = opened;
    const graceMs = graceOf(shutdown.reason);
    if (server !== undefined) {
      log.info(graceMs > 0 ? `stopping: answering for another ${graceMs / 1_000} s` : 'stopping');
    }
    await server?.close(graceMs);
    await Promise.race([connections?.release(), ...(isInterrupted() ? [wait(INTERRUPTED_MS)] : [])]);
    if (server !== undefined) log.info('stopped');
  }
}

async function start(config: Config, log: Log, signal: AbortSignal, opened: Opened): Promise<void> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  readCatalogue();
  const connections = await openConnections(config, say, signal);
  opened.connections = connections;
  const peppers = await loadPeppers(config);
  if (connections.engine === 'embedded') await migrate(connections);
  else {
    const check = () => requireFitRole(connections, config, (message) => log.warn(message));
    await awaitSchema(check, { config, log, signal });
  }
  if (signal.aborted) return;
  const beginning = { config, connections, peppers, say };
  if (connections.engine === 'embedded') await renderStoredTexts(connections, say);
  await requireCatalogue(connections);
  if (isUnconfigured(beginning)) await loadFigures(beginning);
  const baseUrl = config.baseUrl ?? `http://${hostInUrl(config.host)}:${config.port}`;
  // A newcomer waits for the first response; a load balancer waits for an instance.
  const warmingUp = isUnconfigured(beginning) ? null : WARM_UP;
  opened.server = await startServer({ config, connections, peppers, log, baseUrl }, [], warmingUp);
  new IdleCollection().start();
  // Only after the port is bound: a failed start must not create a key, whose text is shown once.
  const demo = isUnconfigured(beginning) ? await makeDemo(beginning) : null;
  say(startupBanner({ baseUrl, demo, engine: connections.engine }));
}
