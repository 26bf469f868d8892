// Folders in which something is made before it gets its name, so that a killed process leaves nothing half made.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isAlive } from './server-process.js';

/** A new folder beside what it will become, removed in the end whatever happens. */
export async function inScratch<T>(parent: string, use: (scratch: string) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(path.join(parent, `scratch-${process.pid}-`));
  try {
    return await use(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Removes what killed processes left behind. */
export async function clearScratch(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const maker = /^scratch-(\d+)-/.exec(name)?.[1];
    if (maker && !isAlive(Number(maker))) await rm(path.join(parent, name), { recursive: true, force: true });
  }
}
