import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { DEFAULT_LOCALE } from '../../domain/locale/locale.js';
import { SerializedResponse } from '../../serve/http/response/serialized-response.js';

const FOLDER = join(import.meta.dirname, 'assets');
const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '.css': 'text/css; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.svg': 'image/svg+xml',
  }),
);

/** The files of `assets/`, under names with the hash of their bytes, so that caches may keep them for ever. */
export class SiteFiles {
  private readonly paths = new Map<string, string>();
  private readonly responses = new Map<string, SerializedResponse>();

  constructor() {
    for (const name of readdirSync(FOLDER)) {
      const bytes = readFileSync(join(FOLDER, name));
      const ending = extname(name);
      const type = TYPES.get(ending);
      if (type === undefined) throw new Error(`No media type is known for ${name}`);
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
      const path = `/assets/${name.slice(0, -ending.length)}-${hash}${ending}`;
      const headers = {
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
      };
      // Browsers ask for it where a document names no icon.
      if (name === 'icon.svg') {
        const daily = { ...headers, 'cache-control': 'public, max-age=86400' };
        this.responses.set('/favicon.ico', new SerializedResponse(200, daily, DEFAULT_LOCALE, bytes));
      }
      this.paths.set(name, path);
      this.responses.set(path, new SerializedResponse(200, headers, DEFAULT_LOCALE, bytes));
    }
  }

  /**
   * The URL of a file.
   * @throws Error for an unknown name, which is a bug
   */
  path(name: string): string {
    const path = this.paths.get(name);
    if (path === undefined) throw new Error(`No file of the site is called ${name}`);
    return path;
  }

  find(path: string): SerializedResponse | undefined {
    return this.responses.get(path);
  }
}
