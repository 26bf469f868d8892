import { Fraction } from '../../../domain/calculation/fraction.js';
import {
  changesByPoints,
  combinedMeasure,
  measureOf,
  measureText,
  measureUnit,
  seriesName,
  type ResultMeasure,
} from '../../../domain/calculation/measures.js';
import {
  statisticsOf,
  type SpanStatistics,
  type Step,
  type ValuedTerm,
} from '../../../domain/calculation/span-statistics.js';
import { termText, type Sequence, type Term } from '../../../domain/calculation/sequence.js';
import { decimalsOf } from '../../../domain/figures/decimal.js';
import { numberOf } from '../../../domain/figures/figure.js';
import { lastDayOf } from '../../../domain/figures/periods.js';
import { AGELESS, ageOf } from '../../../domain/figures/timetable.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { Citations } from '../../../domain/sources/citations.js';
import type { RequestContext } from '../../responses/request-context.js';
import { asOfQuery, type ItemLinks, type UrlBuilder } from '../../responses/url-builder.service.js';
import { LATEST } from '../parameters.schema.js';
import { comparedOf, shownOf, type Calculated, type Requested } from './calculation.rule.js';
import { measureOfStored, type Operand, type Sequences, type StoredSeries } from './operand.rows.js';
import type { Series, SeriesQuery } from './series.schema.js';

type Statistics = NonNullable<Series['statistics']>;
type Input = NonNullable<Series['computed']>['inputs'][number];

/** Real GDP growth, Japan. */
export const operandName = ({ name, stored }: Pick<Operand, 'name' | 'stored'>, locale: Locale): string =>
  seriesName(locale, name, stored[0].regionName);

const written = (value: string, measure: ResultMeasure, locale: Locale) => ({
  value: numberOf(value),
  text: measureText(locale, measure, value),
});

/** Shows calculated series, and cites what they rest on. */
export class SeriesView {
  constructor(
    private readonly query: SeriesQuery,
    private readonly cite: Citations,
    private readonly urls: UrlBuilder,
    private readonly context: RequestContext,
  ) {}

  show({ left, right }: Requested, calculated: Calculated, sequences: Sequences): Series {
    const { locale } = this.context;
    const { measure, frequency, expression } = calculated;
    const { points: most, level } = this.query;
    const terms = shownOf(calculated, this.query);
    const compared = comparedOf(terms, this.query);
    const shown = terms.slice(-most);
    const stored = [...left.stored, ...(right?.stored ?? [])];
    const inputs = stored.map((series) => this.input(series, sequences));
    const statistics = statisticsOf(compared, level);
    const isComputed = expression !== left.reference;
    const [first] = [...inputs].sort((a, b) => (a.expectedBy ?? '9').localeCompare(b.expectedBy ?? '9'));
    // What is calculated is as old as the oldest of its inputs.
    for (const { series } of inputs) this.citeAge(series, first);
    return {
      series: left.reference,
      name: [left, ...(right === null ? [] : [right])].map((one) => operandName(one, locale)).join(this.sign),
      ...(isComputed ? this.ownLink(left) : this.linkOf(left.stored[0], sequences.newestOf(left.stored[0]))),
      unit: measureUnit(measure, locale),
      frequency,
      computed: isComputed ? { operation: expression, inputs } : null,
      points: shown.map((term) => this.point(term, calculated)),
      omitted: Math.max(compared.length - shown.length, 0),
      statistics: statistics && this.statistics(terms, statistics, calculated, left),
      stale: first?.stale ?? false,
      expectedBy: first?.expectedBy ?? null,
      sources: [...new Set(stored.flatMap(({ source, origins }) => [source, ...origins]))],
    };
  }

  /** Between the names of two operands, so that a spread does not pass for its first series. */
  private get sign(): string {
    const { minus, per } = this.query;
    if (minus !== undefined) return ' − ';
    return per === undefined ? ' × ' : ' / ';
  }

  private point(term: Term, { measure }: Calculated): Series['points'][number] {
    const { period, missing, knownSince, base, complete } = term;
    const value = termText(term);
    if (value !== null) this.cite.period(period);
    return {
      period,
      value: numberOf(value),
      decimals: value === null ? null : decimalsOf(value),
      text: value === null ? null : measureText(this.context.locale, measure, value),
      missing,
      knownSince,
      base,
      complete,
    };
  }

  private statistics(
    terms: Sequence,
    { lowest, highest, mean, change, largestRise, largestFall, level, ...counts }: SpanStatistics,
    calculated: Calculated,
    { measure }: Operand,
  ): Statistics {
    const extreme = (term: ValuedTerm) => ({ period: term.period, ...this.written(term, calculated) });
    const crossing = (one: NonNullable<SpanStatistics['level']>['crossings'][number] | undefined) =>
      one === undefined ? null : { direction: one.direction, ...extreme(one.term) };
    const valued = terms.filter(({ value }) => value !== null);
    const ranked = (term: ValuedTerm) => ({
      ...extreme(term),
      figures: valued.filter(({ value }) => value?.compare(term.value) === 0).length,
    });
    const [first = lowest, last = first] = [valued[0], valued.at(-1)];
    return {
      ...counts,
      first: first.period,
      last: last.period,
      lowest: ranked(lowest),
      highest: ranked(highest),
      mean: calculated.decisions ? null : this.written({ value: mean, printed: null }, calculated),
      change: this.change(change, calculated, measure),
      largestRise: this.step(largestRise, calculated),
      largestFall: this.step(largestFall, calculated),
      level: level && {
        ...level,
        level: Number(this.query.level),
        crossings: level.crossings.length,
        firstCrossing: crossing(level.crossings[0]),
        lastCrossing: crossing(level.crossings.at(-1)),
        lastAbove: level.lastAbove && extreme(level.lastAbove),
        lastBelow: level.lastBelow && extreme(level.lastBelow),
      },
    };
  }

  /** With its percentage, unless the figures, or those that an index is of, are rates, or change from above zero to below it or from there. */
  private change(step: Step | null, calculated: Calculated, own: ResultMeasure): Statistics['change'] {
    const size = this.step(step, calculated);
    if (size === null || step === null) return null;
    const { value: first } = step.from;
    const isOfRate = this.query.transform !== 'compound' && changesByPoints(own);
    const isRate = changesByPoints(calculated.measure) || isOfRate;
    if (isRate || first.isZero || first.isNegative || step.to.value.isNegative) return { ...size, percent: null };
    const percent = { value: step.change.times(Fraction.of('100')).over(first), printed: null };
    return { ...size, percent: this.written(percent, { ...calculated, measure: measureOf('percent', null) }) };
  }

  private step(step: Step | null, { measure, ...calculated }: Calculated): Statistics['largestRise'] {
    if (step === null) return null;
    const difference = { ...calculated, measure: combinedMeasure(measure, 'minus', measure) ?? measure };
    const { value: change, text } = this.written({ value: step.change, printed: null }, difference);
    return { from: step.from.period, to: step.to.period, change, text };
  }

  private written(term: Pick<Term, 'printed'> & { readonly value: Fraction }, { measure }: Calculated) {
    return written(termText(term) ?? '', measure, this.context.locale);
  }

  private input(series: StoredSeries, sequences: Sequences): Input {
    const { locale, today } = this.context;
    const newest = sequences.newestOf(series);
    const measure = measureOfStored(series);
    const last = sequences.lastOf(series, lastDayOf(this.query.to ?? LATEST));
    const asOf = this.query.asOf ?? today;
    const age = series.ended ? AGELESS : ageOf(series.timetable, newest, asOf, sequences.nextOf(series));
    const name = series.region === null ? series.key : `${series.key}@${series.region}`;
    this.cite.sources(series.origins);
    return {
      series: name,
      name: operandName({ name: series.name, stored: [series] }, locale),
      ...this.linkOf(series, newest),
      unit: measureUnit(measure, locale),
      last: last === null ? null : { period: last.period, ...written(last.value, measure, locale) },
      newestPeriod: newest,
      ...age,
      source: this.cite.source(series.source),
    };
  }

  private citeAge(series: string, of: Input | undefined): void {
    const { stale = false, expectedBy = null, newestPeriod = null } = of ?? {};
    const asOf = this.query.asOf ?? this.context.today;
    this.cite.age({ stale, expectedBy, newest: newestPeriod, series, asOf });
  }

  /** A series without figures has no page. */
  private linkOf({ key, region }: StoredSeries, newest: string | null): ItemLinks {
    const { locale, today } = this.context;
    this.cite.series(key);
    const known = asOfQuery(this.query.asOf, today);
    const { url, page } =
      region === null
        ? this.urls.links(locale, ['markets', key], known)
        : this.urls.links(locale, ['macro', key], { region, ...known });
    return { url, page: newest === null ? undefined : page };
  }

  /** The request of this series alone. */
  private ownLink({ reference }: Operand): ItemLinks {
    const { locale: _locale, series: _all, points: _most, ...query } = this.query;
    const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    );
    const search = { series: reference, ...Object.fromEntries(given) };
    return this.urls.links(this.context.locale, ['series'], search);
  }
}
