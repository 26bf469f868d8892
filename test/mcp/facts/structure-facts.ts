import Big from 'big.js';
import { UNITS } from '../../../src/domain/figures/units.js';

/** Members that are no facts of the record, each with its reason. */
const NOT_FACTS: Readonly<Record<string, string>> = {
  ...named('names of things for programs, which structure.spec.ts requires in the text where a reader needs them', [
    'id',
    'slug',
    'key',
    'code',
    'lei',
    'cik',
    'tickers',
    'changeId',
    'companies',
    'indicator',
    'region',
    'source',
    'sources',
    'origins',
    'locale',
    'timeZone',
    'series',
    'operation',
    'timeframe',
  ]),
  ...named('links', ['url', 'structureUrl']),
  ...named('how the list is read on, not what it says', ['page', 'limit', 'nextCursor']),
  ...named('when the service fetched a file: the age of its copy, not of the figures', ['retrievedAt']),
};

function named(reason: string, members: readonly string[]): Record<string, string> {
  return Object.fromEntries(members.map((member) => [member, reason]));
}

export interface StructureFacts {
  /** Each number; a derived one may be rounded in the text. */
  readonly numbers: readonly { readonly path: string; readonly value: Big; readonly derived: boolean }[];
  /** Days, periods and instants. */
  readonly dates: readonly { readonly path: string; readonly period: string }[];
  /** Values with the period that they are of. */
  readonly pairs: readonly { readonly path: string; readonly value: Big; readonly period: string }[];
  /** Missing figures of a period. */
  readonly gaps: readonly { readonly path: string; readonly period: string }[];
  /** Figures as the structure writes them. */
  readonly renderings: readonly { readonly path: string; readonly text: string; readonly value: Big }[];
  /** Sentences and names with numbers, which the text repeats word by word. */
  readonly prose: readonly { readonly path: string; readonly text: string }[];
  /** Names and links that may stand in the text. */
  readonly names: readonly string[];
  /** Powers of ten between a value and its number in whole units. */
  readonly scales: ReadonlySet<number>;
}

type Growing = {
  -readonly [Name in keyof StructureFacts]: StructureFacts[Name] extends readonly (infer One)[] ? One[] : Set<number>;
};

const PERIOD = /^(?:FY)?\d{4}(?:-(?:Q\d|H\d|W\d{2}|\d{2}(?:-\d{2}(?:T[\d:.]+Z)?)?))?$/;
/** Numbers that follow from others that are exact in the text: the percentage between two figures. */
const DERIVED = /\.(?:deltaPercent|changePercent)$/;

/** Scales of units by their code and by their names. */
const SCALES = new Map(
  Object.entries(UNITS).flatMap(([code, { scale, label }]) => [
    [code, scale] as const,
    ...Object.values(label).map((name) => [name, scale] as const),
  ]),
);

/** Everything in these members that the text must say. */
export function factsOf(...structures: readonly unknown[]): StructureFacts {
  const facts: Growing = {
    numbers: [],
    dates: [],
    pairs: [],
    gaps: [],
    renderings: [],
    prose: [],
    names: [],
    scales: new Set([0]),
  };
  for (const one of structures) collect(one, '', facts);
  return facts;
}

function collect(value: unknown, path: string, facts: Growing): void {
  if (typeof value === 'number') {
    facts.numbers.push({ path, value: new Big(String(value)), derived: DERIVED.test(path) });
  } else if (typeof value === 'string') {
    facts.scales.add(SCALES.get(value) ?? 0);
    if (PERIOD.test(value)) facts.dates.push({ path, period: value });
    else if (/\d/.test(value)) facts.prose.push({ path, text: value });
  } else if (Array.isArray(value)) {
    for (const [at, one] of value.entries()) collect(one, `${path}[${String(at)}]`, facts);
  } else if (typeof value === 'object' && value !== null) {
    collectMembers(value as Readonly<Record<string, unknown>>, path, facts);
  }
}

function collectMembers(members: Readonly<Record<string, unknown>>, path: string, facts: Growing): void {
  const { value, period, text } = members;
  const isFigure = typeof value === 'number';
  if (isFigure && typeof period === 'string') {
    facts.pairs.push({ path, value: new Big(String(value)), period });
  }
  if (value === null && typeof period === 'string' && members['missing'] !== 'not_held') {
    facts.gaps.push({ path, period });
  }
  for (const [name, one] of Object.entries(members)) {
    if (name === 'text' && isFigure) {
      facts.renderings.push({ path: `${path}.text`, text: String(text), value: new Big(String(value)) });
    } else if (name in NOT_FACTS && !isNested(one)) {
      facts.names.push(
        ...[one]
          .flat()
          .map(String)
          .filter((each) => /[A-Za-z]|^\d{5,}$/.test(each)),
      );
    } else if (!/\.sources\[\d+\]$/.test(path) || name !== 'series') collect(one, `${path}.${name}`, facts);
    // Pages of a publisher's series, for citations; the text has the names of the figures.
    else facts.names.push(...(one as { name: string }[]).map((each) => each.name));
  }
}

/** Members of the name may be objects with facts of their own: a region with its name, a list of series. */
const isNested = (value: unknown): boolean =>
  (Array.isArray(value) ? value : [value]).some((one) => typeof one === 'object' && one !== null);
