import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files of a test in a folder that is removed after the suite. */
export function useScratchFiles() {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark-files-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  return {
    folder: (): string => folder,
    write: async (name: string, content: string | Buffer): Promise<string> => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    },
  };
}
