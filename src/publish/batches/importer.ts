// The interface between importers and the publishing transaction, in the publisher's own codes.
import type { z } from 'zod';
import type { VintageBasis } from '../../domain/figures/vintage-basis.js';
import type { SourcePosition } from './source-position.js';
import type { RegisterBatch } from './register-rows.js';

export type { SourcePosition } from './source-position.js';

/**
 * One printed figure. `value` is the publisher's own decimal text, checked to be one. Without a region `indicator`
 * is the code of an instrument.
 */
export interface FigureRow {
  readonly indicator: string;
  readonly region: string | null;
  readonly period: string;
  readonly value: string;
  readonly place: SourcePosition;
}

export interface BadRow {
  readonly place: SourcePosition;
  /** A sentence that says what is wrong and what was expected. */
  readonly reason: string;
  /**
   * The observation of a rejected row, if known: the delivery then neither sets nor closes it. A single rejected row
   * without a known observation keeps the delivery from closing anything.
   */
  readonly cell?: Cell;
}

/** What is wrong with a column of a row. */
export interface Fault {
  readonly column: string;
  readonly reason: string;
}

export const isFault = (value: unknown): value is Fault =>
  typeof value === 'object' && value !== null && 'reason' in value;

/** Why a schema refuses a row. @param what a sentence that says which rows were expected */
export function faultOf({ issues: [issue] }: z.ZodError, what: string): Fault {
  return { column: issue?.path.join('.') ?? '', reason: `${what}: ${issue?.message ?? ''}` };
}

export const badRow = (place: SourcePosition, { column, reason }: Fault): BadRow => ({
  place: { ...place, column },
  reason,
});

/** One figure of a series, in the publisher's own codes. */
export interface Cell {
  readonly indicator: string;
  /** `null` for an instrument. */
  readonly region: string | null;
  readonly period: string;
}

/**
 * The periods that a delivery covers: an absent figure inside closes the stored one, absence outside means nothing.
 * `region: null` means every stored region of the indicator, or an instrument. Periods are inclusive.
 */
export interface Extent extends Span {
  readonly indicator: string;
  readonly region: string | null;
}

/** Periods, both inclusive. */
export interface Span {
  readonly first: string;
  readonly last: string;
}

/** The span with the period in it. */
export function widened(span: Span | null | undefined, period: string): Span {
  return {
    first: span == null || period < span.first ? period : span.first,
    last: span == null || period > span.last ? period : span.last,
  };
}

/**
 * A file's own words about the origin of its figures. Without a region they apply to every series of the
 * indicator, or to an instrument.
 */
export interface SourceNote {
  readonly indicator: string;
  readonly region: string | null;
  readonly note: string;
}

/** One line of a publisher's release schedule: which period is published when. It contains no figures. */
export interface ScheduleRow {
  readonly indicator: string;
  readonly region: string;
  readonly period: string;
  /** Which of several prints of the period, from 1; `null` if there is only one. */
  readonly estimate: number | null;
  /** The publisher's local day, `YYYY-MM-DD`. */
  readonly scheduledOn: string;
  /** IANA name. */
  readonly timeZone: string;
  /** RFC 3339 in UTC; `null` if the publisher states no time. */
  readonly scheduledAt: string | null;
  readonly status: 'scheduled' | 'postponed' | 'cancelled';
  /** The page that states it. */
  readonly sourceUrl: string | null;
  readonly place: SourcePosition;
}

/** Streamed in small batches, so that memory stays flat in the size of a file. */
export type Batch =
  | { readonly kind: 'figures'; readonly rows: readonly FigureRow[] }
  | { readonly kind: 'bad'; readonly rows: readonly BadRow[] }
  | { readonly kind: 'notes'; readonly rows: readonly SourceNote[] }
  | { readonly kind: 'events'; readonly rows: readonly ScheduleRow[] }
  | { readonly kind: 'extents'; readonly rows: readonly Extent[] }
  | RegisterBatch;

export type RowOf<Kind extends Batch['kind']> = Extract<Batch, { readonly kind: Kind }>['rows'][number];

/** The content that one publisher published on one day: one transaction and one data version. */
export interface Delivery {
  /** For messages: the folder or file as the operator typed it. */
  readonly name: string;
  /** `YYYY-MM-DD`: from the file or the name of its folder, else from the operator. */
  readonly vintage: string;
  readonly basis: VintageBasis;
  readonly bytes: number;
  /** Part of a list, which is published whole or not at all. */
  readonly listed?: boolean;
  /** The recorded time of publication of a replayed history; at most now. */
  readonly recordedAt?: Date;
  /** Reads from the beginning at each call. `onBytes` receives the number of further bytes read. */
  read(onBytes: (count: number) => void): AsyncIterable<Batch>;
}

/** An error that the operator can act on. */
export class ImportError extends Error {
  override name = 'ImportError';
}

/** Files of a folder that are no files of the publisher: an importer that gets this leaves them out. */
export type OnStrayFile = (path: string, reason: string) => void;

export interface Importer {
  /** As typed: `tidemark import <publisher>`. */
  readonly publisher: string;
  /** Providers of the catalogue whose codes the files use; default: the publisher. */
  readonly providers?: readonly string[];
  /**
   * The deliveries in the files, oldest vintage first. `vintage` is the operator's `--vintage`. A file of a folder that
   * is not the publisher's goes to `onStray`; without it, it is an error.
   */
  open(paths: readonly string[], vintage: string | null, onStray?: OnStrayFile): Promise<Delivery[]>;
  /** Fetches the publisher's current content to `folder`, for publishers with an open endpoint. */
  fetch?(options: FetchOptions): Promise<string[]>;
  /** The variable without which the publisher answers nobody: the operator's own access code or contact. */
  readonly requires?: 'EIA_API_KEY' | 'ESTAT_APP_ID' | 'SEC_USER_AGENT';
}

export interface FetchOptions {
  readonly folder: string;
  /** Provider codes of the catalogue to ask for. */
  readonly indicators: readonly string[];
  readonly regions: readonly string[];
  readonly since: string | null;
  /** The operator's contact, for publishers that require one. */
  readonly contact?: string | null;
  /** The operator's own access code for the publisher; in no message, file or log. */
  readonly accessCode?: string | null;
  readonly onProgress: (done: number, total: number, what: string) => void;
  readonly signal: AbortSignal;
}
