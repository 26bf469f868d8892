import { CURRENCIES } from '../../../domain/figures/currencies.js';
import { invalidParameter } from '../../../domain/errors/api-error.js';
import { nearest } from '../../../domain/errors/nearest.js';
import {
  combined,
  inverse,
  sequenceOf,
  type Sequence,
  type StoredFigure,
} from '../../../domain/calculation/sequence.js';
import { measureOf, pairMeasure, pairName, type ResultMeasure } from '../../../domain/calculation/measures.js';
import { lastDayOf, type Frequency } from '../../../domain/figures/periods.js';
import type { Timetable } from '../../../domain/figures/timetable.js';
import { unitNamed, type UnitCode } from '../../../domain/figures/units.js';
import type { Localized } from '../../../domain/locale/locale.js';
import type { Read } from '../../../store/snapshots.js';
import { nearestMembers, resolveRegions } from '../closed-sets.rows.js';
import { nextDecisions, type PointRow } from './point.rows.js';
import { grouped } from '../../../domain/grouped.js';

/** A series of published figures. */
export interface StoredSeries {
  /** Slug of the indicator or key of the instrument. */
  readonly key: string;
  readonly region: string | null;
  readonly name: Localized;
  readonly regionName: Localized | null;
  readonly unit: UnitCode;
  readonly currency: string | null;
  readonly frequency: Frequency;
  readonly timetable: Timetable;
  /** Its publisher has ended it. */
  readonly ended: boolean;
  /** Each period is the day from which a decision holds. */
  readonly decision: boolean;
  /** An exchange rate of days, from which pairs are computed. */
  readonly isRate: boolean;
  /** Null if nothing of it is stored. */
  readonly id: number | null;
  readonly source: string;
  readonly origins: readonly string[];
}

/** What a reference names: one series, or a pair of currencies computed from one or two. */
export interface Operand {
  readonly reference: string;
  readonly name: Localized;
  readonly measure: ResultMeasure;
  readonly stored: readonly [StoredSeries, ...StoredSeries[]];
  /** How it is computed from them; null for a stored series. */
  readonly expression: string | null;
}

const INSTRUMENTS = `
  SELECT n.key, NULL AS region, n.name, NULL::jsonb AS "regionName", n.unit, n.currency, n.timetable,
         CASE n.native_timeframe WHEN 'D1' THEN 'D' WHEN 'W1' THEN 'W' ELSE 'M' END AS frequency,
         n.discontinued AS ended, false AS decision,
         n.kind = 'fx' AND n.native_timeframe = 'D1' AND NOT n.average AS "isRate", s.id, s.source_id AS source, s.origins
  FROM instruments n JOIN series s ON s.instrument = n.key JOIN sources p ON p.id = n.source_id ORDER BY n.ordinal`;

/** Known indicators in known regions, also without figures. $1 slugs, $2 regions */
const INDICATORS = `
  SELECT i.slug AS key, r.code AS region, i.short_name AS name, r.name AS "regionName", i.unit, r.currency, i.timetable,
         i.frequency, false AS ended, i.decision, false AS "isRate",
         s.id, coalesce(s.source_id, i.source_id) AS source, coalesce(s.origins, '{}') AS origins
  FROM unnest($1::text[], $2::text[]) AS w (indicator, region)
    JOIN indicators i ON i.slug = w.indicator JOIN sources p ON p.id = i.source_id JOIN regions r ON r.code = w.region
    LEFT JOIN series s ON s.indicator = i.slug AND s.region = r.code`;

/** What one request may compute with: the days of four exchange rates since 1999, which take less than a second of CPU. */
const MOST_FIGURES = 30_000;

/** The newest state of each period, oldest first. $1 series, $2 day, $3 the first period */
const FIGURES = `
  SELECT DISTINCT ON (o.series_id, o.period) o.series_id AS series, o.period, o.value, o.valid_from AS "knownSince",
         coalesce(o.valid_to <= $2, false) AS withdrawn
  FROM observations o WHERE o.series_id = ANY ($1) AND o.valid_from <= $2 AND o.period >= $3
  ORDER BY o.series_id, o.period, o.valid_from DESC LIMIT ${MOST_FIGURES + 1}`;

/** Operands by parameter and reference. */
export class Operands {
  private constructor(
    private readonly read: Read,
    private readonly instruments: readonly StoredSeries[],
  ) {}

  static async of(read: Read): Promise<Operands> {
    return new Operands(read, await read<StoredSeries>(INSTRUMENTS));
  }

  /** @throws ApiError `invalid_parameter` for a name that nothing has, with the nearest */
  async find(parameter: string, reference: string): Promise<Operand> {
    const [key = '', region] = reference.split('@');
    if (region !== undefined) return this.indicator(parameter, key, region);
    const instrument = this.instruments.find((one) => one.key === key);
    const found = instrument === undefined ? this.pair(key) : storedOperand(instrument);
    if (found !== undefined) return found;
    const codes = this.currencies();
    const [base, quote] = [key.slice(0, 3), key.slice(3)].map((code) => code.toUpperCase());
    const isPair = Object.hasOwn(CURRENCIES, base ?? '') && Object.hasOwn(CURRENCIES, quote ?? '');
    if (isPair && base !== quote) {
      const names = [base, quote].filter((code) => !codes.includes(code ?? '')).join(', ');
      throw invalidParameter({ parameter, reason: 'pair_not_stored', args: { name: reference, names } });
    }
    const pairs = codes.flatMap((one) => codes.map((other) => `${one}${other}`.toLowerCase()));
    const keys = [...this.instruments.map((one) => one.key), ...(key.length === 6 ? pairs : [])];
    const slugs = await nearestMembers(this.read, 'indicator', key);
    const allowed = [...nearest(key, keys), ...slugs.map((slug) => `${slug}@US`)].slice(0, 5);
    throw invalidParameter({ parameter, reason: 'unknown_series', args: { name: reference }, allowed });
  }

  /** The second operand: an indicator without a region is that of the first operand's. */
  findBeside(parameter: string, reference: string, { stored: [{ region }] }: Operand): Promise<Operand> {
    const isInstrument = this.instruments.some(({ key }) => key === reference);
    const isWhole = reference.includes('@') || isInstrument || this.pair(reference) !== undefined;
    return this.find(parameter, isWhole || region === null ? reference : `${reference}@${region}`);
  }

  private async indicator(parameter: string, slug: string, code: string): Promise<Operand> {
    const regions = resolveRegions(parameter, [code]);
    const [row] = await this.read<StoredSeries>(INDICATORS, [[slug], regions]);
    if (row !== undefined) return storedOperand(row);
    const allowed = (await nearestMembers(this.read, 'indicator', slug)).map((one) => `${one}@${code}`);
    throw invalidParameter({ parameter, reason: 'unknown_series', args: { name: slug }, allowed });
  }

  /** With a stored rate. */
  private currencies(): string[] {
    const rates = this.instruments.filter(({ isRate }) => isRate);
    return [...new Set(rates.flatMap(({ currency, unit }) => [unitNamed(unit).per ?? '', currency ?? '']))];
  }

  /** From rates of one publisher in one currency: what one unit of the first costs in the second. */
  private pair(key: string): Operand | undefined {
    const [base, quote] = [key.slice(0, 3).toUpperCase(), key.slice(3).toUpperCase()];
    if (key.length !== 6 || base === quote) return undefined;
    if (!Object.hasOwn(CURRENCIES, base) || !Object.hasOwn(CURRENCIES, quote)) return undefined;
    const rates = this.instruments.filter(({ isRate }) => isRate);
    const pair = { reference: key, name: pairName(base, quote), measure: pairMeasure(base, quote) };
    for (const below of rates.filter(({ currency }) => currency === base)) {
      const common = unitNamed(below.unit).per;
      if (common === quote) return { ...pair, stored: [below], expression: `1 / ${below.key}` };
      const above = rates.find(
        (one) => one.currency === quote && one.source === below.source && unitNamed(one.unit).per === common,
      );
      if (above !== undefined) return { ...pair, stored: [above, below], expression: `${above.key} / ${below.key}` };
    }
    return undefined;
  }
}

/** The currency of an economy is that of its exchange rate alone. */
export function measureOfStored({ region, unit, currency }: StoredSeries): ResultMeasure {
  const isItsOwn = region === null || unitNamed(unit).dimension === 'exchange_rate';
  return measureOf(unit, isItsOwn ? currency : null);
}

function storedOperand(row: StoredSeries): Operand {
  const { key, region, name } = row;
  const reference = region === null ? key : `${key}@${region}`;
  return { reference, name, measure: measureOfStored(row), stored: [row], expression: null };
}

/** The figures of operands. */
export interface Sequences {
  readonly of: (operand: Operand) => Sequence;
  /** The newest period with a figure. */
  readonly newestOf: (series: StoredSeries) => string | null;
  /** The decision that follows those known; undefined without any. */
  readonly nextOf: (series: StoredSeries) => string | undefined;
  /** The last figure of a period that ends by this day. */
  readonly lastOf: (series: StoredSeries, day: string) => Pick<StoredFigure, 'period' | 'value'> | null;
}

/**
 * As known at the end of a day, from a first period on.
 * @throws ApiError `invalid_parameter` for more figures than a request may compute with
 */
export async function readSequences(
  read: Read,
  operands: readonly Operand[],
  asOf: string,
  first: string,
): Promise<Sequences> {
  const ids = [...new Set(operands.flatMap(({ stored }) => stored.flatMap(({ id }) => id ?? [])))];
  const rows = await read<PointRow & StoredFigure & { readonly series: number }>(FIGURES, [ids, asOf, first]);
  if (rows.length > MOST_FIGURES)
    throw invalidParameter({ parameter: 'from', reason: 'too_many_figures', args: { limit: MOST_FIGURES } });
  const groups = grouped(rows, ({ series }) => String(series));
  const deciding = operands.flatMap(({ stored }) => stored.flatMap(({ id, decision }) => (decision ? (id ?? []) : [])));
  const condition = { where: 's.id = ANY ($1)', parameters: [deciding] };
  const next = deciding.length === 0 ? [] : await nextDecisions(read, condition, asOf);
  const sequenceFor = ({ id }: StoredSeries): Sequence => sequenceOf(groups.get(String(id)) ?? []);
  return {
    of: ({ stored: [leg, other], expression }) => {
      const own = sequenceFor(leg);
      if (expression === null) return own;
      return other === undefined ? inverse(own) : combined(own, 'per', sequenceFor(other));
    },
    lastOf: ({ id }, day) =>
      groups.get(String(id))?.findLast((one) => !one.withdrawn && lastDayOf(one.period) <= day) ?? null,
    nextOf: ({ id }) => next.find(({ series }) => series === id)?.period,
    newestOf: ({ id }) => groups.get(String(id))?.findLast(({ withdrawn }) => !withdrawn)?.period ?? null,
  };
}
