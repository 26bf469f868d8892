import { chained } from '../../../domain/calculation/chained.js';
import {
  aggregated,
  combined,
  computed,
  HUNDRED,
  transformed,
  type Operation,
  type Sequence,
  type Term,
} from '../../../domain/calculation/sequence.js';
import {
  combinedMeasure,
  changesByPoints,
  isShareOf,
  transformedMeasure,
  type ResultMeasure,
} from '../../../domain/calculation/measures.js';
import { invalidParameter } from '../../../domain/errors/api-error.js';
import { firstDayOf, lastDayOf, periodsBetween, shiftedDay, type Frequency } from '../../../domain/figures/periods.js';
import { expectedAfter } from '../../../domain/figures/timetable.js';
import { EARLIEST, LATEST } from '../parameters.schema.js';
import type { Operand, Sequences } from './operand.rows.js';
import { operationOf, type SeriesQuery } from './series.schema.js';
import type { SeriesWindow } from './window.rule.js';

/** A requested series, with the one that it is combined with. */
export interface Requested {
  readonly left: Operand;
  readonly right: Operand | null;
}

/** Figures, what they measure, and how they were calculated. */
export interface Calculated {
  readonly terms: Sequence;
  readonly measure: ResultMeasure;
  readonly frequency: Frequency;
  readonly expression: string;
  /** Whether the figures are decisions, each of which holds until the next one. */
  readonly decisions: boolean;
}

/** A query whose figures are made of one frequency. */
type Calculation = Omit<SeriesQuery, 'frequency'> & { readonly frequency: Frequency | undefined };

/** From the shortest to the longest period. */
const LENGTHS: readonly Frequency[] = ['D', 'W', 'M', 'Q', 'H', 'A'];
const SIGNS: Readonly<Record<Operation, string>> = { minus: '-', per: '/', times: '*' };

const frequencyOf = ({ stored }: Operand): Frequency => stored[0].frequency;

/** As the query says; of two frequencies the lower one, because only that can be made of both. */
function frequencyAsked({ left, right }: Requested, { frequency }: SeriesQuery): Frequency | undefined {
  const [one, other] = [frequencyOf(left), frequencyOf(right ?? left)];
  if (frequency !== undefined || one === other) return frequency;
  return LENGTHS[Math.max(LENGTHS.indexOf(one), LENGTHS.indexOf(other))];
}

/** @throws ApiError `invalid_parameter` for what has no result, whatever the figures */
export function requireComputable({ left, right }: Requested, query: SeriesQuery): void {
  const frequency = frequencyAsked({ left, right }, query);
  const operation = operationOf(query);
  const refuse = (parameter: string, reason: string, { reference: name }: Operand): never => {
    throw invalidParameter({ parameter, reason, args: { name } });
  };
  if (frequency !== undefined) {
    for (const operand of [left, right ?? left]) {
      if (LENGTHS.indexOf(frequency) < LENGTHS.indexOf(frequencyOf(operand)))
        refuse('frequency', 'finer_than_series', operand);
    }
  }
  if (query.transform === 'compound' && !isGrowth(left, right)) refuse('transform', 'no_growth', left);
  if (right === null || operation === undefined) return;
  if (combinedMeasure(left.measure, operation, right.measure) === null) refuse(operation, 'other_unit', left);
}

/** An economy's percentages of periods; what an operation makes of them is none. */
const isGrowth = ({ measure, stored: [{ region, decision }] }: Operand, other: Operand | null): boolean =>
  measure.code === 'percent' && region !== null && !decision && other === null;

/** Combined, aggregated, transformed, in this order. */
export function calculate({ left, right }: Requested, asked: SeriesQuery, sequences: Sequences): Calculated {
  const query = { ...asked, frequency: frequencyAsked({ left, right }, asked) };
  const operation = operationOf(asked);
  const own = storedOf(left, right, sequences, query);
  const both =
    right === null || operation === undefined
      ? own
      : combine(own, operation, storedOf(right, left, sequences, query), query);
  return transform(aggregate(both, query), query);
}

function storedOf(operand: Operand, beside: Operand | null, sequences: Sequences, query: Calculation): Calculated {
  const { measure, reference, stored } = operand;
  const own = { measure, frequency: frequencyOf(operand), expression: operand.expression ?? reference };
  const [{ decision }] = stored;
  if (!decision || !isCounted(beside, query)) return { ...own, terms: sequences.of(operand), decisions: decision };
  const isBesideDays = beside !== null && !beside.stored[0].decision && frequencyOf(beside) === 'D';
  const days = isBesideDays ? sequences.of(beside).map(({ period }) => period) : undefined;
  const expression = isBesideDays ? own.expression : `daily(${own.expression})`;
  return { ...own, terms: carried(operand, days, sequences, query), expression, decisions: false };
}

/** Whether days or longer periods are counted or combined: of decisions alone, their number and their steps are meant. */
const isCounted = (beside: Operand | null, { frequency, transform, level }: Calculation): boolean =>
  beside !== null ||
  frequency !== undefined ||
  transform === 'yoy' ||
  (level !== undefined && (transform === undefined || transform === 'index'));

/** The decision that holds on each day; after the last one, until the next is made or due. */
function carried(
  operand: Operand,
  days: readonly string[] | undefined,
  sequences: Sequences,
  { asOf = LATEST }: Calculation,
): Sequence {
  const [series] = operand.stored;
  const newest = sequences.newestOf(series);
  if (newest === null) return [];
  const decisions = sequences.of(operand);
  const next = sequences.nextOf(series);
  const due = next === undefined ? expectedAfter(series.timetable, newest).slice(0, 10) : shiftedDay(next, -1);
  const end = due < asOf ? due : asOf;
  let at = -1;
  return (days ?? periodsBetween(decisions[0]?.period ?? newest, end)).flatMap((period) => {
    while ((decisions[at + 1]?.period ?? LATEST) <= period) at += 1;
    const holding = decisions[at];
    return holding === undefined || period > end ? [] : [{ ...holding, period }];
  });
}

/** Figures of different frequencies are first made of one. */
function combine(own: Calculated, operation: Operation, other: Calculated, query: Calculation): Calculated {
  const isAlike = own.frequency === other.frequency;
  const [a, b] = isAlike ? [own, other] : [aggregate(own, query), aggregate(other, query)];
  const terms = combined(a.terms, operation, b.terms);
  const isShare = isShareOf(a.measure, b.measure);
  return {
    terms: isShare ? terms.map(hundredth) : terms,
    measure: combinedMeasure(a.measure, operation, b.measure) ?? a.measure,
    frequency: a.frequency,
    decisions: false,
    expression: `${bracketed(a.expression)} ${SIGNS[operation]} ${bracketed(b.expression)}${isShare ? ' / 100' : ''}`,
  };
}

/** Of a percentage times an amount. */
const hundredth = (term: Term): Term => computed([term], term.period, null, ([value]) => value?.over(HUNDRED) ?? null);

const bracketed = (expression: string): string => (/^\S+ \S \S+$/.test(expression) ? `(${expression})` : expression);

function aggregate(own: Calculated, { frequency, aggregate: method = 'mean' }: Calculation): Calculated {
  if (frequency === undefined || frequency === own.frequency) return own;
  return {
    ...own,
    terms: aggregated(own.terms, frequency, method),
    frequency,
    expression: `${method}(${own.expression}, ${frequency})`,
  };
}

function transform(own: Calculated, query: Calculation): Calculated {
  const { transform: kind, base } = query;
  if (kind === undefined) return own;
  // Without a base, an index begins with the span.
  const isIndex = kind === 'index' || kind === 'compound';
  // A month so far, or its newest day, is compared with no whole month.
  const isRunning = !isIndex && own.terms.at(-1)?.complete === false;
  const known = isRunning ? own.terms.slice(0, -1) : own.terms;
  const from = isIndex && base === undefined ? withinSpan(known, query) : known;
  const terms =
    kind === 'compound'
      ? transformed(chained(from, base), 'index', { isRate: false, base })
      : transformed(from, kind, { isRate: changesByPoints(own.measure), base });
  const origin = isIndex ? (terms[0]?.base ?? base ?? null) : null;
  return {
    ...own,
    terms,
    measure: transformedMeasure(own.measure, kind, origin),
    expression: `${kind}(${own.expression}${origin === null ? '' : `, ${origin}`})`,
  };
}

/** The figures of the span, with the 100 before it that chained rates begin with. */
export function shownOf({ terms, decisions }: Calculated, query: SeriesQuery): Sequence {
  if (query.transform === 'compound' && query.base === undefined) return terms;
  const within = withinSpan(terms, query);
  // What was decided before the span was in force when it began; a step before it was not made in it.
  const isStep = query.transform === 'change' || query.transform === 'pop';
  const before = terms.findLast(({ period }) => period < firstDayOf(query.from ?? EARLIEST));
  const isInForce = decisions && before !== undefined && within[0]?.period !== firstDayOf(query.from ?? EARLIEST);
  return isInForce && !isStep ? [before, ...within] : within;
}

/** Without the beginning of a series that has nothing before it to be compared with: no figure is missing there. */
export function comparedOf(terms: Sequence, { transform }: SeriesQuery): Sequence {
  const first = transform === undefined ? 0 : terms.findIndex(({ value }) => value !== null);
  return terms.slice(Math.max(first, 0));
}

/** A period belongs to the span in which it ends. */
function withinSpan(terms: Sequence, { from = EARLIEST, to = LATEST }: SeriesWindow): Sequence {
  const [first, last] = [firstDayOf(from), lastDayOf(to)];
  return terms.filter(({ period }) => lastDayOf(period) >= first && lastDayOf(period) <= last);
}
