import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ImportError, type Importer } from '../../src/publish/batches/importer.js';
import { read, type Said } from './reading.js';

/** A folder for a spec's own files, new for each test, and the importer's result for them. */
export function usePriceFiles(importer: Importer) {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), `${importer.publisher}-`));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const file = async (name: string, content: string | Uint8Array): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  };
  const readFileOf = async (name: string, content: string | Uint8Array, vintage: string | null): Promise<Said> => {
    const deliveries = await importer.open([await file(name, content)], vintage);
    return read(deliveries[0]);
  };
  return {
    folder: () => folder,
    file,
    read: readFileOf,
    /** What the operator reads if the importer refuses the whole file. */
    refusal: async (name: string, content: string | Uint8Array, vintage: string | null): Promise<string> => {
      const error: unknown = await readFileOf(name, content, vintage).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ImportError);
      return error instanceof Error ? error.message.replaceAll(`${folder}/`, '') : '';
    },
  };
}

export const UTF_16 = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

export interface Loopback {
  readonly base: string;
  /** The requested paths with their queries, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** A publisher on the loopback address, with the given responses. */
export async function publisherThat(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Loopback> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const NO_WAITING = { sleep: () => Promise.resolve(), random: () => 0 };

export const quietly = (folder: string) => ({
  folder,
  indicators: [],
  regions: [],
  since: null,
  onProgress: () => undefined,
  signal: new AbortController().signal,
});
