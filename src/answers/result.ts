import type { SourceAttribution } from '../sources/source.schema.js';

/** A set of resources that change together; each revision says which of them it changed. */
export const FAMILIES = [
  'changes',
  'coverage',
  'topics',
  'signals',
  'macro',
  'markets',
  'ahead',
  'briefs',
  'companies',
  'structure',
  'search',
] as const;
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
  /** The days that a default of this answer became. */
  readonly window?: { readonly from: string; readonly to: string };
  /** Where the window is empty: the nearest days outside of it that have something, or null. */
  readonly nearest?: { readonly before: string | null; readonly after: string | null };
  /** Where the plan cuts the answer. */
  readonly reach?: Reach;
}

export interface Reach {
  /** What was given, and the most that the plan allows. */
  readonly given: number;
  readonly allowed: number;
  /** Whether there is more beyond what the plan allows. */
  readonly more: boolean;
}
