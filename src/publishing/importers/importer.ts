// What every publisher's importer gives to the publishing transaction, in the publisher's own codes.
import type { Place } from './place.js';
import type { RegisterBatch } from './register-rows.js';

export type { Place } from './place.js';

/**
 * One printed figure. `value` is the publisher's own decimal text, checked to be one. Without a region `indicator`
 * is the code of an instrument.
 */
export interface FigureRow {
  readonly indicator: string;
  readonly region: string | null;
  readonly period: string;
  readonly value: string;
  readonly place: Place;
}

export interface BadRow {
  readonly place: Place;
  /** A sentence that says what is wrong and what was expected. */
  readonly reason: string;
  /**
   * The figure that the row was about, where that is known. Leaving a row out then says nothing about its
   * figure; one row without a cell, and absence in the whole delivery closes nothing.
   */
  readonly cell?: Cell;
}

/** One figure of a series, in the publisher's own codes. */
export interface Cell {
  readonly indicator: string;
  /** `null` for an instrument. */
  readonly region: string | null;
  readonly period: string;
}

/**
 * What a delivery speaks about: absence inside closes a held figure, absence outside says nothing.
 * `region: null` stands for every region held of that indicator, or for an instrument. Periods are inclusive.
 */
export interface Extent {
  readonly indicator: string;
  readonly region: string | null;
  readonly first: string;
  readonly last: string;
}

/**
 * What a file says of where its figures come from, in its own words. Without a region it is said of every series of
 * the indicator, or of an instrument.
 */
export interface SourceNote {
  readonly indicator: string;
  readonly region: string | null;
  readonly note: string;
}

/**
 * One line of a publisher's release schedule, in the publisher's own codes: who publishes which period when. It says
 * nothing of figures; those are read from what was known on the day.
 */
export interface EventRow {
  readonly indicator: string;
  readonly region: string;
  readonly period: string;
  /** Which of several prints of the period, from 1; `null` where there is only one. */
  readonly estimate: number | null;
  /** The publisher's local day, `YYYY-MM-DD`. */
  readonly scheduledOn: string;
  /** IANA name. */
  readonly timeZone: string;
  /** RFC 3339 in UTC; `null` where the publisher states no time. */
  readonly scheduledAt: string | null;
  readonly status: 'scheduled' | 'postponed' | 'cancelled';
  /** The page that states it. */
  readonly sourceUrl: string | null;
  readonly place: Place;
}

/** Streamed in small batches, so that memory stays flat in the size of a file. */
export type Batch =
  | { readonly kind: 'figures'; readonly rows: readonly FigureRow[] }
  | { readonly kind: 'bad'; readonly rows: readonly BadRow[] }
  | { readonly kind: 'notes'; readonly notes: readonly SourceNote[] }
  | { readonly kind: 'events'; readonly rows: readonly EventRow[] }
  | { readonly kind: 'extents'; readonly extents: readonly Extent[] }
  | RegisterBatch;

/** All that one publisher said on one day: becomes one transaction and one revision. */
export interface Delivery {
  /** For messages: the folder or file as the operator typed it. */
  readonly name: string;
  /** `YYYY-MM-DD`, from the file or the folder's name, else as given by the operator. */
  readonly vintage: string;
  readonly basis: 'released' | 'retrieved';
  readonly bytes: number;
  /** When a replayed history says that it was published; never taken to lie after now. */
  readonly recordedAt?: Date;
  /** Reads from the beginning at each call. `onBytes` is told how many more bytes were read. */
  read(onBytes: (count: number) => void): AsyncIterable<Batch>;
}

/** A refusal that the operator can act on. */
export class ImportError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ImportError';
  }
}

export interface Importer {
  /** As typed: `tidemark import <publisher>`. */
  readonly publisher: string;
  /** Whose codes its files use, where not its own. */
  readonly providers?: readonly string[];
  /** The deliveries in the files, oldest vintage first. `vintage` is the operator's `--vintage`. */
  open(paths: readonly string[], vintage: string | null): Promise<Delivery[]>;
  /** Fetches to `folder` what the publisher has now (since a day), where there is an open endpoint. */
  fetch?(options: FetchOptions): Promise<string[]>;
}

export interface FetchOptions {
  readonly folder: string;
  /** Provider codes of the catalogue to ask for. */
  readonly indicators: readonly string[];
  readonly regions: readonly string[];
  readonly since: string | null;
  /** Who asks, for publishers that want to be told; from the operator's settings. */
  readonly contact?: string | null;
  /** The operator's own access code for the publisher; in no message, file or log. */
  readonly accessCode?: string | null;
  readonly onProgress: (done: number, total: number, what: string) => void;
  readonly signal: AbortSignal;
}
