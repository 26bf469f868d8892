import { CATALOGUE_DIR } from '../../domain/config/catalogue-dir.js';
import type { UnmappedKind } from '../catalogue/code-book.js';

/** A publisher's code that the catalogue does not map; its rows are not imported. */
export interface UnmappedCode {
  readonly kind: UnmappedKind;
  readonly code: string;
  readonly rows: number;
  /** The file of the catalogue that should name it. */
  readonly file: string;
}

const fileOf = (kind: UnmappedKind): string => `${CATALOGUE_DIR ?? 'data/catalogue'}/${kind}s.json`;

const MOST_CODES = 10_000;

export class UnmappedCodes {
  private readonly rows = new Map<string, number>();

  add(kind: UnmappedCode['kind'], code: string): void {
    const key = `${kind}|${code}`;
    const held = this.rows.get(key);
    if (held !== undefined || this.rows.size < MOST_CODES) this.rows.set(key, (held ?? 0) + 1);
  }

  list(): UnmappedCode[] {
    return [...this.rows]
      .map(([key, rows]) => {
        const kind = key.slice(0, key.indexOf('|')) as UnmappedKind;
        const code = key.slice(kind.length + 1);
        return { kind, code, rows, file: fileOf(kind) };
      })
      .sort((a, b) => a.kind.localeCompare(b.kind, 'en') || b.rows - a.rows || (a.code < b.code ? -1 : 1));
  }
}
