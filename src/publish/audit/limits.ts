// What the audit lets pass, by unit and kind of series. docs/explanation/audit.md explains the numbers.
import type { Frequency } from '../../domain/figures/periods.js';
import { unitNamed, type UnitCode } from '../../domain/figures/units.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import { PERIODS_OF, type IndicatorEntry, type InstrumentEntry } from '../catalogue/catalogue.schema.js';
import { limits, type LimitOverrides, type AuditLimits } from '../../domain/catalogue/limits.schema.js';

const OF_INDICATORS: Omit<AuditLimits, 'min' | 'max'> = {
  closed: 0.2,
  restated: 1,
  restatedByHalf: 0.2,
  scaled: 0,
  factor: 20,
  points: 0,
  steps: null,
  unusual: 2,
  density: 0.8,
  weekends: true,
  holidays: null,
  final: false,
  codes: true,
  repeated: 0.9,
  gone: 0,
  unfinished: false,
  daysAhead: 0,
};

/** Prices are printed once and hardly ever restated. */
const OF_INSTRUMENTS: Omit<AuditLimits, 'min' | 'max'> = {
  ...OF_INDICATORS,
  closed: 0.05,
  restated: 0.05,
  factor: 1.2,
  steps: 3,
  unusual: 3,
  weekends: false,
  unfinished: true,
};

/** No yield or policy rate moves by so many percentage points at once. */
const OF_RATES: LimitOverrides = { min: -10, max: 100, factor: null, points: 2.5, steps: null, unusual: 2 };

/** Months made many steps, and none was far larger than all before: their largest is known. */
const OF_MONTHS: LimitOverrides = { unusual: 1.5 };

/** Largest share of what a register states that one delivery may end, or state otherwise. */
const OF_REGISTERS: Pick<AuditLimits, 'closed' | 'restated'> = { closed: 0.1, restated: 0.1 };

export function registerLimits(catalogue: Catalogue): Readonly<Record<string, typeof OF_REGISTERS>> {
  return Object.fromEntries(
    catalogue.sources.map(({ id, limits: { closed, restated } = {} }) => [
      id,
      { closed: closed ?? OF_REGISTERS.closed, restated: restated ?? OF_REGISTERS.restated },
    ]),
  );
}

/** The limits of one indicator or instrument, and what its series are. */
export interface AuditedSubject extends AuditLimits {
  readonly subject: string;
  readonly source: string;
  readonly frequency: Frequency;
}

export function auditedSubjects(catalogue: Catalogue): AuditedSubject[] {
  const bySource = new Map(catalogue.sources.map((source) => [source.id, source.limits]));
  return [
    ...catalogue.indicators.map((entry) => ofIndicator(entry, bySource.get(entry.source))),
    ...catalogue.instruments.map((entry) => ofInstrument(entry, bySource.get(entry.source))),
  ];
}

function ofIndicator(entry: IndicatorEntry, ofSource: LimitOverrides | undefined): AuditedSubject {
  const sparse = entry.frequency === 'A' || entry.decision;
  const merged = {
    min: null,
    max: null,
    ...OF_INDICATORS,
    ...unitNamed(entry.unit).limits,
    ...(sparse ? { density: null } : OF_MONTHS),
    ...(entry.decision ? { ...OF_RATES, daysAhead: 14 } : {}),
    ...ofSource,
    ...entry.limits,
  };
  return { ...limits.parse(merged), subject: entry.slug, source: entry.source, frequency: entry.frequency };
}

function ofInstrument(entry: InstrumentEntry, ofSource: LimitOverrides | undefined): AuditedSubject {
  const merged = {
    ...OF_INSTRUMENTS,
    ...boundsOf(entry.unit),
    ...(entry.kind === 'rate' ? OF_RATES : {}),
    ...(entry.nativeTimeframe === 'MN' ? OF_MONTHS : {}),
    ...ofSource,
    ...entry.limits,
  };
  const frequency = PERIODS_OF[entry.nativeTimeframe];
  return { ...limits.parse(merged), subject: entry.key, source: entry.source, frequency };
}

/** Only the bounds: a unit's other limits are those of statistics, not of prices. */
function boundsOf(unit: UnitCode): Pick<AuditLimits, 'min' | 'max'> {
  const { min = null, max = null } = unitNamed(unit).limits;
  return { min, max };
}
