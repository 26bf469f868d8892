// Runs the requests of a live connector: all connectors share retries, pauses, resumption, progress and atomic files.
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ImportError, type FetchOptions } from '../batches/importer.js';
import { download, REAL_WAITING, type DownloadLimits, type Waiting } from './download.js';
import { visibleText } from '../batches/text.js';

export interface FetchSettings {
  readonly base: string;
  readonly limits: DownloadLimits;
  readonly waiting: Waiting;
  /** Minimum time between two requests, for publishers that limit their rate. */
  readonly pauseMs: number;
  readonly thisYear: () => number;
}

const DEFAULTS: Omit<FetchSettings, 'base'> = {
  limits: { tries: 5, timeoutMs: 60_000, maxBytes: 32_000_000 },
  waiting: REAL_WAITING,
  pauseMs: 0,
  thisYear: () => new Date().getUTCFullYear(),
};

export interface FetchRequest<T> {
  readonly url: string;
  /** A query parameter that no message, file or log may show. */
  readonly secret?: { readonly name: string; readonly value: string };
  readonly headers?: Readonly<Record<string, string>>;
  /** Name of the file in the folder. */
  readonly file: string;
  /**
   * Reads all of a response body, so that the folder never contains a file that the import would reject as incomplete.
   */
  accept(body: Buffer, url: string): Accepted<T> | Promise<Accepted<T>>;
  /** Reads the file that an earlier run left; `null` requests it again. */
  resume?(path: string): Promise<T | null>;
  /** For the operator; `left`: files known to follow this one. */
  progress(result: T): { readonly what: string; readonly left: number };
}

export interface Accepted<T> {
  /** The plan continues with it. */
  readonly result: T;
  /** Content of the file; `null`: the publisher has none. */
  readonly content: Buffer | string | null;
}

/** Yields the requests one by one and receives the result of each. */
export type FetchPlan<T> = Generator<FetchRequest<T>, void, T>;

/** The same for a publisher whose plan depends on files of earlier runs. */
export type AsyncFetchPlan<T> = AsyncGenerator<FetchRequest<T>, void, T>;

/** Makes the `fetch` of an importer. It returns the paths of the fetched files, in the order of their requests. */
export function fetchBy<S extends FetchSettings, T>(
  own: Omit<S, keyof FetchSettings> & Pick<S, 'base'> & Partial<S>,
  plan: (options: FetchOptions, settings: S) => FetchPlan<T> | AsyncFetchPlan<T>,
): (options: FetchOptions, settings?: Partial<S>) => Promise<string[]> {
  return async (options, given = {}) => {
    const settings = { ...DEFAULTS, ...own, ...given } as S;
    await mkdir(options.folder, { recursive: true });
    const steps = plan(options, settings);
    const paths = new Set<string>();
    let requests = 0;
    for (let step = await steps.next(); step.done !== true;) {
      const request = step.value;
      const path = join(options.folder, request.file);
      const held = request.resume === undefined ? null : await request.resume(path);
      if (held === null && requests++ > 0 && settings.pauseMs > 0)
        await settings.waiting.sleep(settings.pauseMs, options.signal);
      const result = held === null ? await fetchFile(request, path, settings, options.signal) : held;
      paths.add(path);
      const { what, left } = request.progress(result);
      options.onProgress(paths.size, paths.size + left, what);
      step = await steps.next(result);
    }
    return [...paths].filter((path) => existsSync(path));
  };
}

async function fetchFile<T>(
  request: FetchRequest<T>,
  path: string,
  { limits, waiting }: FetchSettings,
  signal: AbortSignal,
): Promise<T> {
  const { url, secret, headers = {} } = request;
  const code = encodeURIComponent(secret?.value ?? '');
  const address = secret === undefined ? url : `${url}&${secret.name}=${code}`;
  const keep = async (body: Buffer): Promise<T> => {
    const { result, content } = await request.accept(body, url);
    await (content === null ? rm(path, { force: true }) : keepFile(path, content));
    return result;
  };
  try {
    return await download(address, { ...limits, headers }, waiting, signal, keep);
  } catch (error) {
    if (secret === undefined || !(error instanceof ImportError)) throw error;
    // The publisher's text may quote the code, and a cause may contain the URL: the message contains neither.
    const shown = error.message.replaceAll(address, url);
    throw new ImportError(shown.replaceAll(secret.value, '…').replaceAll(code, '…'));
  }
}

/** The file takes its name only when it is whole. */
async function keepFile(path: string, content: Buffer | string): Promise<void> {
  await writeFile(`${path}.part`, content);
  await rename(`${path}.part`, path);
}

/** @throws ImportError if a publisher responds with an HTML page, as during maintenance */
export function refusePage(body: Buffer, url: string): void {
  const text = body
    .subarray(0, 4_096)
    .toString('utf8')
    .replace(/^\ufeff/, '');
  if (text.trimStart().startsWith('<'))
    throw new ImportError(`${url}: the answer is HTML or XML that says ${visibleText(body.toString('utf8'))}`);
}
