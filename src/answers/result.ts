import type { SourceAttribution } from '../sources/source.schema.js';

/** A set of resources that change together; each revision says which of them it changed. */
export const FAMILIES = ['changes', 'coverage', 'topics', 'macro'] as const;
export type Family = (typeof FAMILIES)[number];

export interface Page {
  readonly limit: number;
  /** null at the end. */
  readonly nextCursor: string | null;
}

/** What a service answers, complete but for the envelope: the same for HTTP and MCP. */
export interface Result<Data> {
  readonly data: Data;
  /** 0 while nothing has been published. */
  readonly revision: number;
  readonly publishedAt: string | null;
  readonly sources: readonly SourceAttribution[];
  /** Sentences that must be shown with this data, in the call's locale. */
  readonly notices: readonly string[];
  readonly page?: Page;
  readonly window?: { readonly from: string; readonly to: string };
}
