import { sameNumber } from '../../../domain/figures/decimal.js';
import type { UnitCode } from '../../../domain/figures/units.js';
import type { Wording } from '../../../domain/figures/wording.js';
import type { Localized } from '../../../domain/locale/locale.js';
import type { Rebasing } from '../../derive/release-revision.rule.js';

/** A change as a brief reads it: the members of its figure are null if it has none, and decimals are text. */
export interface MentionedChange {
  readonly kind: string;
  readonly headline: Localized;
  /** Slug of the indicator or key of the instrument. */
  readonly subject: string | null;
  /** Of the indicator; null for other subjects, as is its wording. */
  readonly name: Localized | null;
  readonly wording: Wording | null;
  readonly instrumentName: Localized | null;
  /** Of a maturity: its yield curve, and its own name in it. */
  readonly curve: { readonly name: Localized; readonly tenor: Localized } | null;
  readonly unit: UnitCode | null;
  /** For an exchange rate: the currency whose amount it states. */
  readonly currency: string | null;
  readonly region: string | null;
  readonly regionName: Localized | null;
  /** Whether people call the region an economy. */
  readonly economy: boolean;
  readonly period: string | null;
  readonly actual: string | null;
  readonly previous: string | null;
  readonly previousPeriod: string | null;
  /** The figure of the same month a year earlier; null for other frequencies. */
  readonly yearBefore: string | null;
  /** Whether the region is a group of economies. */
  readonly aggregate: boolean;
  /** Of a revision that stands for most periods of its series. */
  readonly rebasing: Rebasing | null;
  /** Of a revision that restates nothing: its source withdrew the figure, or gives it again. */
  readonly presence?: 'withdrawn' | 'returned' | null;
  /** Figures of the same series in another item: this change writes its own with their decimals. */
  readonly like?: readonly string[];
  /** Of a release: the figure that it is compared with, before a revision that the same brief tells. */
  readonly formerPrevious?: string;
  /** How much people watch the economy or the instrument, from 0 to 100. */
  readonly weight: number;
}

/** The figure of an economy's indicator. */
export interface MentionedFigure extends MentionedChange {
  readonly name: Localized;
  readonly wording: Wording;
  readonly unit: UnitCode;
  readonly region: string;
  readonly regionName: Localized;
  readonly period: string;
  readonly actual: string;
}

/** `part`: of one figure among several that were revised alike. */
export type Style = 'title' | 'sentence' | 'part';

export function isFigure(change: MentionedChange): change is MentionedFigure {
  const { name, wording, unit, region, regionName, period, actual, presence = null } = change;
  return presence === null && [name, wording, unit, region, regionName, period, actual].every((part) => part !== null);
}

/** What a release is compared with has the same decimals in the text of its revision, and the release says from what. */
export function alignedWith(changes: readonly MentionedChange[], change: MentionedChange): MentionedChange {
  return change.kind === 'revision' ? alignedRevision(changes, change) : withRevised(changes, change);
}

function withRevised(changes: readonly MentionedChange[], release: MentionedChange): MentionedChange {
  const revision = changes.find(
    ({ kind, subject, region, period }) =>
      kind === 'revision' &&
      subject === release.subject &&
      region === release.region &&
      period === release.previousPeriod,
  );
  const former = revision?.rebasing === null && !revision.presence ? revision.previous : null;
  return former === null ? release : { ...release, formerPrevious: former };
}

function alignedRevision(changes: readonly MentionedChange[], revision: MentionedChange): MentionedChange {
  const { subject, region, period, actual } = revision;
  const release = changes.find(
    (one) =>
      one.kind === 'release' &&
      one.subject === subject &&
      one.region === region &&
      one.previousPeriod === period &&
      one.previous !== null &&
      actual !== null &&
      sameNumber(one.previous, actual),
  );
  if (release === undefined) return revision;
  return { ...revision, like: [release.actual, release.previous].filter((value) => value !== null) };
}
