// The tables of an exported data version. Row-level security of the API's role leaves out what is withheld.
import type { Read } from '../../store/snapshots.js';
import { firstDayOf, lastDayOf } from '../../domain/figures/periods.js';
import { isExchangeRate, type UnitCode } from '../../domain/figures/units.js';
import { LOCALES, type Locale } from '../../domain/locale/locale.js';

/** `date`: YYYY-MM-DD. `time`: an instant. */
export type ColumnType = 'text' | 'texts' | 'integer' | 'number' | 'date' | 'time';

export type ExportedRow = Record<string, unknown>;

export interface ExportedTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /**
   * A statement, or for a few rows what reads them. The order is fixed, so that the same data version gives the same
   * bytes.
   */
  readonly content: string | ((read: Read) => Promise<ExportedRow[]>);
  /** Completes a row with what no statement knows. */
  readonly complete?: (row: ExportedRow) => ExportedRow;
}

/** One column for each language: `headlineEn`. */
export const textColumns = (name: string): Record<string, ColumnType> => inColumns(name, () => 'text');

/** A value of each language in its column. */
export const inColumns = <Value>(name: string, valueIn: (locale: Locale) => Value): Record<string, Value> =>
  Object.fromEntries(LOCALES.map((locale) => [columnOf(name, locale), valueIn(locale)]));

const columnOf = (name: string, locale: Locale): string => name + locale.charAt(0).toUpperCase() + locale.slice(1);

const selectTexts = (name: string, column: string): string =>
  LOCALES.map((locale) => `${column} ->> '${locale}' AS "${columnOf(name, locale)}"`).join(', ');

/** As in the paths of the API. */
const SERIES_KEY = `coalesce('macro/' || s.indicator || '@' || s.region, 'markets/' || s.instrument)`;

const SERIES: ExportedTable = {
  name: 'series',
  columns: {
    series: 'text',
    indicator: 'text',
    region: 'text',
    instrument: 'text',
    ...textColumns('name'),
    ...textColumns('regionName'),
    unit: 'text',
    currency: 'text',
    frequency: 'text',
    source: 'text',
    origins: 'texts',
  },
  content: `
    SELECT ${SERIES_KEY} AS series, s.indicator, s.region, s.instrument,
      ${selectTexts('name', 'coalesce(i.name, n.name)')}, ${selectTexts('regionName', 'r.name')},
      coalesce(i.unit, n.unit) AS unit, coalesce(n.currency, r.currency) AS currency,
      coalesce(i.frequency, left(n.native_timeframe, 1)) AS frequency, s.source_id AS source, s.origins
    FROM series s LEFT JOIN indicators i ON i.slug = s.indicator LEFT JOIN regions r ON r.code = s.region
      LEFT JOIN instruments n ON n.key = s.instrument
    ORDER BY ${SERIES_KEY} COLLATE "C"`,
  // Of an indicator, only exchange rates are in the currency of the region.
  complete: (row) => {
    const isRate = isExchangeRate(row['unit'] as UnitCode);
    return row['instrument'] === null && !isRate ? { ...row, currency: null } : row;
  },
};

/** Two times: the period that a value describes, and the days from and to which it was the known one. */
const OBSERVATIONS: ExportedTable = {
  name: 'observations',
  columns: {
    series: 'text',
    period: 'text',
    periodFrom: 'date',
    periodTo: 'date',
    value: 'number',
    decimals: 'integer',
    knownSince: 'date',
    knownUntil: 'date',
    dataVersion: 'integer',
    publishedAt: 'time',
    source: 'text',
  },
  content: `
    SELECT ${SERIES_KEY} AS series, o.period, o.value::float8 AS value, scale(o.value) AS decimals,
      o.valid_from::text AS "knownSince", o.valid_to::text AS "knownUntil",
      o.data_version AS "dataVersion", p.published_at AS "publishedAt", o.source_id AS source
    FROM observations o JOIN series s ON s.id = o.series_id JOIN publications p ON p.data_version = o.data_version
    ORDER BY ${SERIES_KEY} COLLATE "C", o.period, o.valid_from`,
  complete: (row) => {
    const period = row['period'] as string;
    return { ...row, periodFrom: firstDayOf(period), periodTo: lastDayOf(period) };
  },
};

const CHANGES: ExportedTable = {
  name: 'changes',
  columns: {
    id: 'text',
    kind: 'text',
    status: 'text',
    evidenceClass: 'text',
    ...textColumns('headline'),
    ...textColumns('summary'),
    importance: 'integer',
    occurredAt: 'time',
    occurredBasis: 'text',
    publishedAt: 'time',
    updatedAt: 'time',
    series: 'text',
    entity: 'text',
    period: 'text',
    actual: 'number',
    previous: 'number',
    previousPeriod: 'text',
    delta: 'number',
    deltaPercent: 'number',
    dataVersion: 'integer',
    source: 'text',
  },
  content: `
    SELECT c.id, c.kind, c.status, c.evidence_class AS "evidenceClass", ${selectTexts('headline', 'c.headline')},
      ${selectTexts('summary', 'c.summary')}, c.importance, c.occurred_at AS "occurredAt",
      c.occurred_basis AS "occurredBasis", c.published_at AS "publishedAt", c.updated_at AS "updatedAt",
      ${SERIES_KEY} AS series, c.entity_id AS entity, c.period, c.actual_value::float8 AS actual,
      c.previous_value::float8 AS previous, c.previous_period AS "previousPeriod", c.delta::float8 AS delta,
      c.delta_percent::float8 AS "deltaPercent", c.data_version AS "dataVersion", c.source_id AS source
    FROM changes c JOIN sources p ON p.id = c.source_id LEFT JOIN series s ON s.id = c.series_id
    WHERE c.status <> 'withdrawn'
    ORDER BY c.position`,
};

const EVENTS: ExportedTable = {
  name: 'events',
  columns: {
    id: 'text',
    indicator: 'text',
    region: 'text',
    period: 'text',
    previousPeriod: 'text',
    estimate: 'integer',
    scheduledOn: 'date',
    timeZone: 'text',
    scheduledAt: 'time',
    status: 'text',
    importance: 'text',
    dataVersion: 'integer',
    source: 'text',
  },
  content: `
    SELECT e.id, e.indicator, e.region, e.period, e.previous_period AS "previousPeriod", e.estimate,
      e.scheduled_on::text AS "scheduledOn", e.time_zone AS "timeZone", e.scheduled_at AS "scheduledAt", e.status,
      e.importance, e.data_version AS "dataVersion", e.source_id AS source
    FROM calendar_events e ORDER BY e.scheduled_on, e.id COLLATE "C"`,
};

const ENTITIES: ExportedTable = {
  name: 'entities',
  columns: {
    id: 'text',
    lei: 'text',
    cik: 'integer',
    slug: 'text',
    name: 'text',
    nameLanguage: 'text',
    otherNames: 'texts',
    type: 'text',
    status: 'text',
    country: 'text',
    tickers: 'texts',
    dataVersion: 'integer',
    source: 'text',
  },
  content: `
    SELECT e.id, e.lei, e.cik, c.slug, e.name, e.name_language AS "nameLanguage", e.other_names AS "otherNames", e.type,
      e.status, e.country, ARRAY(SELECT t.ticker FROM company_tickers t WHERE t.cik = e.cik ORDER BY t.ordinal) AS tickers,
      e.data_version AS "dataVersion", e.source_id AS source
    FROM entities e LEFT JOIN companies c ON c.entity_id = e.id AND c.listed
    ORDER BY e.id COLLATE "C"`,
};

const RELATIONS: ExportedTable = {
  name: 'relations',
  columns: {
    child: 'text',
    parent: 'text',
    kind: 'text',
    since: 'date',
    until: 'date',
    knownSince: 'date',
    knownUntil: 'date',
    dataVersion: 'integer',
    source: 'text',
  },
  content: `
    SELECT r.child, r.parent, r.kind, r.since::text AS since, r.until::text AS until,
      r.valid_from::text AS "knownSince", r.valid_to::text AS "knownUntil", r.data_version AS "dataVersion",
      r.source_id AS source
    FROM relations r ORDER BY r.child COLLATE "C", r.parent COLLATE "C", r.kind, r.valid_from`,
};

export const EXPORTED_TABLES = [SERIES, OBSERVATIONS, CHANGES, EVENTS, ENTITIES, RELATIONS] as const;
