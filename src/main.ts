import { loadPeppers } from './access/peppers.js';
import { awaitSchema } from './process/await-schema.js';
import { readConfig } from './config/config.js';
import { ConfigError } from './config/config-error.js';
import { openConnections } from './database/connections.js';
import { migrate } from './database/migrate.js';
import { requireFitRole } from './database/role-check.js';
import { renderStoredTexts, requireCatalogue } from './process/render-stored-texts.js';
import { isUnconfigured, loadFigures, makeDemo } from './process/first-start.js';
import { Log, logNodeWarnings } from './log/log.js';
import { Metrics } from './metrics/metrics.js';
import { WARM_UP } from './http/warm-up.js';
import { hostInUrl, startServer, type RunningServer } from './server.js';
import { readCatalogue } from './publishing/catalogue/catalogue.js';
import { startupBanner } from './process/startup-banner.js';
import { explainError } from './process/explain-error.js';
import { ShutdownSignal, type ShutdownReason } from './process/shutdown-signal.js';

/** After the drain: time for requests in progress and for releasing resources. */
const CLOSE_MS = 6_500;
/** With the embedded database, the process also stops it, and loads the starter set on the first start. */
const CLOSE_EMBEDDED_MS = 60_000;

/** `npm start`: starts the service, also without any configuration. */
async function main(): Promise<number> {
  const config = readConfig(process.env);
  readCatalogue();
  const terminal = process.stdout.isTTY;
  const log = new Log(config.logLevel, terminal);
  logNodeWarnings(log);
  // A terminal has no load balancer to wait for.
  const graceOf = (by: ShutdownReason | null) =>
    by === null || by === 'SIGINT' ? 0 : config.drainSeconds * 1_000;
  const closeMs = config.database.api === null ? CLOSE_EMBEDDED_MS : CLOSE_MS;
  const shutdown = new ShutdownSignal((by) => graceOf(by) + closeMs);

  const say = (line: string) => process.stdout.write(`${line}\n`);
  let server: RunningServer | undefined;
  shutdown.watchUncaught({
    onRejection: (reason) => {
      log.failure(null, reason);
      server?.app.get(Metrics).rejectionUnhandled();
    },
    onException: (error) => log.failure(null, error),
  });
  const exitCode = () => (shutdown.reason === 'uncaughtException' ? 1 : 0);

  const connections = await openConnections(config, say, shutdown.signal);
  try {
    const peppers = await loadPeppers(config);
    if (connections.engine === 'embedded') await migrate(connections);
    else {
      const check = () => requireFitRole(connections, config, (message) => log.warn(message));
      await awaitSchema(check, { config, log, signal: shutdown.signal });
    }
    const start = { config, connections, peppers, say };
    if (connections.engine === 'embedded') await renderStoredTexts(connections, say);
    if (!shutdown.signal.aborted) await requireCatalogue(connections);
    if (isUnconfigured(start)) await loadFigures(start);
    const baseUrl = config.baseUrl ?? `http://${hostInUrl(config.host)}:${config.port}`;
    if (shutdown.signal.aborted) return exitCode();
    // A newcomer waits for the first response; a load balancer waits for an instance.
    const warmingUp = isUnconfigured(start) ? null : WARM_UP;
    server = await startServer({ config, connections, peppers, log, baseUrl }, [], warmingUp);
    // Only after the port is bound: a failed start must not create a key, whose text is shown once.
    const demo = isUnconfigured(start) ? await makeDemo(start) : null;
    say(startupBanner({ baseUrl, demo, engine: connections.engine }));
    await shutdown.requested();
    return exitCode();
  } finally {
    const graceMs = graceOf(shutdown.reason);
    if (server !== undefined) {
      log.info(graceMs > 0 ? `stopping: answering for another ${graceMs / 1_000} s` : 'stopping');
    }
    await server?.close(graceMs);
    await connections.release();
    if (server !== undefined) log.info('stopped');
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const lines = error instanceof ConfigError ? error.lines : [explainError(error)];
    for (const line of lines) process.stderr.write(`tidemark: ${line}\n`);
    process.exit(1);
  },
);
