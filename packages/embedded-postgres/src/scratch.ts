// Temporary folders beside the final one, so that a killed process leaves no partial result.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isAlive } from './server-process.js';

/** Calls `use` with a new folder in `parent` and removes the folder afterwards. */
export async function inScratch<T>(parent: string, use: (scratch: string) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(path.join(parent, `scratch-${process.pid}-`));
  try {
    return await use(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Removes the scratch folders of killed processes. */
export async function clearScratch(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const maker = /^scratch-(\d+)-/.exec(name)?.[1];
    if (maker && !isAlive(Number(maker))) await rm(path.join(parent, name), { recursive: true, force: true });
  }
}
