import type { SourceAttribution } from '../../domain/sources/source.schema.js';

export interface Page {
  readonly limit: number;
  /** null on the last page. */
  readonly nextCursor: string | null;
}

/** How old the figures of a response are. */
export interface Freshness {
  /** The newest period with a value; null without any value. */
  readonly newestPeriod: string | null;
  /** Day of the newest data from the cited sources; null if no data came from them. */
  readonly retrievedAt: string | null;
  /** Whether a newer figure is overdue for every series that has not ended. */
  readonly stale: boolean;
}

/** What a service returns: everything but the envelope, the same for HTTP and MCP. */
export interface Result<Data> {
  readonly data: Data;
  /** 0 before the first publication. */
  readonly dataVersion: number;
  readonly publishedAt: string | null;
  readonly sources: readonly SourceAttribution[];
  /** Notices that licences demand with this data, in the request's locale. */
  readonly notices: readonly string[];
  /** Present if `data` has series, quotes or a brief. */
  readonly freshness?: Freshness;
  /** The newest period of any figure with a value, if there is one. */
  readonly newestPeriod?: string;
  readonly page?: Page;
  /** Of a list by importance: how many items match. */
  readonly total?: Total;
  /** The days that default parameters resolved to. */
  readonly window?: { readonly from: string; readonly to: string };
  /** For an empty window: the nearest days outside it that have data, or null. */
  readonly nearest?: { readonly before: string | null; readonly after: string | null };
  /** With `publishedSince`, on the first page: what is no longer served since. */
  readonly removed?: readonly string[];
  /** Present if the plan limits the response. */
  readonly reach?: Reach;
}

export interface Total {
  readonly count: number;
  /** Whether these are all; otherwise more match. */
  readonly exact: boolean;
}

export interface Reach {
  /** The depth returned, and the maximum of the plan. */
  readonly given: number;
  readonly allowed: number;
  /** Whether more exists beyond the plan's limit. */
  readonly more: boolean;
}
