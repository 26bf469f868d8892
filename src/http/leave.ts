import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export interface Leaving {
  /** How long it goes on answering after it has said that it leaves: as long as load balancers take to see it. */
  readonly graceMs: number;
  /** What has not been answered so long after that is cut off. */
  readonly finishMs: number;
}

const LOOK_EVERY_MS = 25;

/**
 * Stops listening and lets go of connections: idle ones at once, the others when they have their answer.
 * @returns how many had to be cut off
 */
export async function leave(server: Server, { graceMs, finishMs }: Leaving): Promise<number> {
  if (graceMs > 0) await wait(graceMs);
  const ended = new Promise<'ended'>((resolve) => server.close(() => resolve('ended')));
  const bound = performance.now() + finishMs;
  while (performance.now() < bound) {
    // A connection whose answer had begun before is kept alive by it, and is idle only then.
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
