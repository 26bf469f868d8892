import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';

/**
 * Keeps every core of the machine busy.
 * @returns {Promise<() => Promise<void>>} stops it
 */
export async function burnCores(defer) {
  const burners = Array.from({ length: availableParallelism() }, () =>
    fork(path.join(import.meta.dirname, 'burner.mjs'), { detached: true, env: { PATH: process.env.PATH } }),
  );
  const end = async () => {
    const gone = burners.filter(({ exitCode }) => exitCode === null).map((one) => once(one, 'exit'));
    for (const one of burners) if (one.connected) one.disconnect();
    await Promise.all(gone);
  };
  defer(end);
  await Promise.all(burners.map((one) => once(one, 'spawn')));
  return end;
}
