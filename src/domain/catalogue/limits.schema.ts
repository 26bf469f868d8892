import { z } from 'zod';
import { keyText } from './texts.schema.js';

const share = z.number().min(0).max(1);

/** What the audit lets pass. The catalogue overrides single limits of a source, an indicator or an instrument. */
export const limits = z.strictObject({
  /** Bounds of a figure. */
  min: z.number().nullable(),
  max: z.number().nullable(),
  /** Largest share of the stored figures that a delivery may close. */
  closed: share,
  /** Largest share of the stored figures that a delivery may restate. */
  restated: share,
  /** Largest share of the stored figures that a delivery may restate by more than half. */
  restatedByHalf: share,
  /** Smallest share of a subject's series that makes a power of ten a unit error; a currency reform rescales one. */
  scaled: share,
  /** A figure of `factor` times the one before it, or of that part of it, is a jump; null: any ratio passes. */
  factor: z.number().min(1).nullable(),
  /** A jump has at least this difference. Without a factor and at 0, nothing is a jump. */
  points: z.number().min(0),
  /** A jump is also beyond this multiple of the largest step that the series ever made; null: its past says nothing. */
  steps: z.number().min(1).nullable(),
  /**
   * A figure is unusual if it steps by more than this multiple of the largest step of its series, and those of the same
   * period do not; null: any step passes.
   */
  unusual: z.number().min(1).nullable(),
  /** Smallest share of the periods of a span that a delivery must give; null: the figures may be sparse. */
  density: share.nullable(),
  /** Whether figures on Saturdays and Sundays are plausible. */
  weekends: z.boolean(),
  /** The calendar, of holidays.json, of days without trading; null: there is none. */
  holidays: keyText.nullable(),
  /** Whether the publisher never revises a figure. */
  final: z.boolean(),
  /** Whether −99, 9999 and their like stand for a missing figure. */
  codes: z.boolean(),
  /** Largest share of the new figures of a period that may equal those of the period before, from five on. */
  repeated: share,
  /** How many series may lose all their figures at once. */
  gone: z.number().int().min(0),
  /** Whether a figure of a period that has not ended is plausible. */
  unfinished: z.boolean(),
  /** How many days ahead of the vintage a daily figure may begin to hold. */
  daysAhead: z.number().int().min(0),
});

export type AuditLimits = z.infer<typeof limits>;

/** Overrides in the catalogue. */
export const limitOverrides = limits.partial();
export type LimitOverrides = z.infer<typeof limitOverrides>;
