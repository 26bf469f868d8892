import { createHmac, randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config, Pepper } from '../../../domain/config/config.js';

const FILE = 'key-pepper';

/** The first one signs new keys; every one verifies. */
export class Peppers {
  constructor(readonly all: readonly [Pepper, ...Pepper[]]) {}

  get signing(): Pepper {
    return this.all[0];
  }

  find(id: string): Pepper | undefined {
    return this.all.find((pepper) => pepper.id === id);
  }

  /** Derives secrets for another purpose, in the same order; they reveal nothing about the peppers. */
  derive(purpose: string): Buffer[] {
    return this.all.map(({ value }) => createHmac('sha256', value).update(`tidemark:${purpose}`).digest());
  }
}

/** The configured peppers; without any, one that is created once and kept with mode 0600 in the data folder. */
export async function loadPeppers(config: Config): Promise<Peppers> {
  const [first, ...others] = config.peppers ?? [await keptPepper(config.dataDir)];
  if (first === undefined) throw new Error('KEY_PEPPER holds no pepper');
  return new Peppers([first, ...others]);
}

async function keptPepper(dataDir: string): Promise<Pepper> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, FILE);
  try {
    // `wx` lets exactly one of several concurrent first starts create the file.
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(randomBytes(32).toString('base64url'));
    await file.sync();
    await file.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const value = (await readFile(path, 'utf8')).trim();
  if (value.length < 16) throw new Error(`${path} is damaged: restore it, or remove it and make new keys`);
  return { id: 'kept', value };
}
