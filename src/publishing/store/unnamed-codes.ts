import type { UnnamedKind } from '../catalogue/catalogue.js';

/** A publisher's code that the catalogue has no names for; its rows are not imported. */
export interface UnnamedCode {
  readonly kind: UnnamedKind;
  readonly code: string;
  readonly rows: number;
  /** The catalogue's file to add it to. */
  readonly file: string;
}

const FILES = {
  indicator: 'src/publishing/catalogue/indicators.json',
  instrument: 'src/publishing/catalogue/instruments.json',
  region: 'src/publishing/catalogue/regions.json',
} as const satisfies Record<UnnamedKind, string>;

const MOST_CODES = 10_000;

export class UnnamedCodes {
  private readonly rows = new Map<string, number>();

  add(kind: UnnamedCode['kind'], code: string): void {
    const key = `${kind}|${code}`;
    const held = this.rows.get(key);
    if (held !== undefined || this.rows.size < MOST_CODES) this.rows.set(key, (held ?? 0) + 1);
  }

  list(): UnnamedCode[] {
    return [...this.rows]
      .map(([key, rows]) => {
        const kind = key.slice(0, key.indexOf('|')) as UnnamedKind;
        return { kind, code: key.slice(kind.length + 1), rows, file: FILES[kind] };
      })
      .sort((a, b) => a.kind.localeCompare(b.kind, 'en') || b.rows - a.rows || (a.code < b.code ? -1 : 1));
  }
}
