import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export interface DrainOptions {
  /** How long it accepts requests after it has become unready: the time that load balancers need to notice. */
  readonly graceMs: number;
  /** Requests that take longer after that are aborted. */
  readonly finishMs: number;
}

const LOOK_EVERY_MS = 25;

/**
 * Stops listening and closes connections: idle ones at once, the others after their responses.
 * @returns the number of aborted connections
 */
export async function drain(server: Server, { graceMs, finishMs }: DrainOptions): Promise<number> {
  if (graceMs > 0) await wait(graceMs);
  const ended = new Promise<'ended'>((resolve) => server.close(() => resolve('ended')));
  const bound = performance.now() + finishMs;
  while (performance.now() < bound) {
    // A response whose head was sent earlier keeps its connection alive; it becomes idle only later.
    server.closeIdleConnections();
    if ((await Promise.race([ended, wait(LOOK_EVERY_MS)])) === 'ended') return 0;
  }
  const open = await connectionsOf(server);
  server.closeAllConnections();
  await ended;
  return open;
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((_error, count) => resolve(count));
  });
}
