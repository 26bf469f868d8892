import { changesByPoints } from '../../../domain/calculation/measures.js';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { invalidParameter } from '../../../domain/errors/api-error.js';
import type { ParameterFaults } from '../../../domain/errors/parameter-faults.js';
import { firstDayOf, lastDayOf } from '../../../domain/figures/periods.js';
import { Texts } from '../../../domain/locale/texts.service.js';
import { VOICES } from '../../../domain/locale/voice/voices.js';
import type { Sequence } from '../../../domain/calculation/sequence.js';
import { grouped } from '../../../domain/grouped.js';
import type { Read } from '../../../store/snapshots.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { RequestContext } from '../../responses/request-context.js';
import type { Result } from '../../responses/result.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { EARLIEST, LATEST } from '../parameters.schema.js';
import { calculate, requireComputable, type Calculated, type Requested } from './calculation.rule.js';
import { Operands, readSequences, type Sequences } from './operand.rows.js';
import { operationOf, seriesResource, type Series, type SeriesQuery } from './series.schema.js';
import { operandName, SeriesView } from './series.view.js';
import { beginningNotice, checkWindow, firstVintageNotice, nearestEnds } from './window.rule.js';

/** A change on a year before needs the year before a span, and a year of figures begins before the span does. */
const YEARS_BEFORE = 2;

/** Figures of several series, and what is computed from them. */
@Injectable()
export class SeriesService {
  constructor(
    private readonly reader: ConsistentReader,
    private readonly urls: UrlBuilder,
    private readonly texts: Texts,
  ) {}

  /** In the order of the request. */
  find(query: SeriesQuery, context: RequestContext): Promise<Result<Series[]>> {
    const checks = async (read: Read, faults: ParameterFaults): Promise<Requested[]> => {
      await checkWindow(faults, query, context);
      await faults.check(['minus', 'per', 'times'], () => requireOneOperation(query));
      await faults.check(['aggregate', 'frequency'], () => requireParameter(query, 'aggregate', 'frequency'));
      await faults.check(['base', 'transform'], () => requireIndex(query));
      const all = ['series', 'minus', 'per', 'times', 'frequency', 'aggregate'];
      return (await faults.check(all, () => requestedOf(read, query))) ?? [];
    };
    return this.reader.readChecked(seriesResource, context, checks, async (read, cite, pairs) => {
      const { asOf = context.today } = query;
      const operands = pairs.flatMap(({ left, right }) => (right === null ? [left] : [left, right]));
      // A decision holds however long ago it was made.
      const isDecided = operands.some(({ stored: [{ decision }] }) => decision);
      const sequences = await readSequences(read, operands, asOf, isDecided ? EARLIEST : firstYearOf(query));
      const view = new SeriesView(query, cite, this.urls, context);
      const [calculations, data]: [Calculated[], Series[]] = [[], []];
      for (const pair of pairs) {
        // Other requests go on between two series.
        await setImmediate();
        const calculated = calculate(pair, { ...query, asOf }, sequences);
        calculations.push(calculated);
        data.push(view.show(pair, calculated, sequences));
      }
      const isEmpty = data.every(({ statistics }) => statistics === null);
      const ids = operands.flatMap(({ stored }) => stored.flatMap(({ id }) => id ?? []));
      const condition = { where: 's.id = ANY ($1)', parameters: [ids] };
      const early = isEmpty ? await firstVintageNotice(read, condition, query.asOf, this.texts, context) : [];
      return {
        data,
        ...(isEmpty && (query.from ?? query.to) !== undefined
          ? {
              nearest: nearestOf(
                calculations.map(({ terms }) => terms),
                query,
              ),
            }
          : {}),
        notices: early.length > 0 ? early : this.noticesOf(pairs, data, query, context, sequences),
      };
    });
  }

  private noticesOf(
    pairs: readonly Requested[],
    data: readonly Series[],
    query: SeriesQuery,
    context: RequestContext,
    sequences: Sequences,
  ): string[] {
    const isOfRate = query.transform === 'index' && pairs.some(({ left }) => changesByPoints(left.measure));
    return [
      ...(isOfRate ? [this.texts.say(context.locale, 'resources.index_of_rate')] : []),
      ...this.beginnings(pairs, query, context, sequences),
      ...this.withoutFigures(pairs, data, context),
    ];
  }

  /**
   * Notices that name the series whose figures begin in a later year than the span. Of all that is stored, the statistics name
   * the first period, and only counts and runs on a side of a level depend on it.
   */
  private beginnings(
    pairs: readonly Requested[],
    { level, from = level === undefined ? undefined : EARLIEST }: SeriesQuery,
    { locale }: RequestContext,
    sequences: Sequences,
  ): string[] {
    const operands = new Set(pairs.flatMap(({ left, right }) => (right === null ? [left] : [left, right])));
    const beginning = grouped(
      [...operands],
      (operand) => sequences.of(operand).find(({ value }) => value !== null)?.period ?? '',
    );
    return [...beginning].flatMap(([first, some]) => {
      const names = some.map((operand) => operandName(operand, locale)).join(VOICES[locale].semicolon);
      return first === '' ? [] : beginningNotice({ from }, first, names, { texts: this.texts, locale });
    });
  }

  /** Notices that name the series without figures in the span, and those without any. */
  private withoutFigures(pairs: readonly Requested[], data: readonly Series[], { locale }: RequestContext) {
    const lacking = pairs.filter((_, index) => data[index]?.statistics === null);
    const storedOf = ({ left, right }: Requested) => [...left.stored, ...(right?.stored ?? [])];
    const absent = lacking.flatMap((pair) => storedOf(pair).filter(({ id }) => id === null));
    const isUndefined = (pair: Requested): boolean =>
      data[pairs.indexOf(pair)]?.points.some(({ missing }) => missing === 'not_defined') ?? false;
    const [undefinedOnes, empty] = [true, false].map((is) =>
      lacking.filter((pair) => storedOf(pair).every(({ id }) => id !== null) && isUndefined(pair) === is),
    ) as [Requested[], Requested[]];
    const named = (key: string, names: readonly string[]): string[] =>
      names.length === 0
        ? []
        : [this.texts.say(locale, key, { names: [...new Set(names)].join(VOICES[locale].semicolon) })];
    return [
      ...named(
        'resources.not_computable',
        undefinedOnes.map(({ left }) => operandName(left, locale)),
      ),
      ...named(
        'resources.no_figures_of',
        empty.map(({ left }) => operandName(left, locale)),
      ),
      ...named(
        'resources.series_never_stored',
        absent.map((one) => operandName({ name: one.name, stored: [one] }, locale)),
      ),
    ];
  }
}

async function requestedOf(read: Read, query: SeriesQuery): Promise<Requested[]> {
  const operands = await Operands.of(read);
  const operation = operationOf(query);
  const other = operation && query[operation];
  const pairs: Requested[] = [];
  for (const reference of query.series) {
    const left = await operands.find('series', reference);
    const right =
      operation === undefined || other === undefined ? null : await operands.findBeside(operation, other, left);
    requireComputable({ left, right }, query);
    pairs.push({ left, right });
  }
  return pairs;
}

/** The first year whose figures the span may rest on. */
function firstYearOf({ from = EARLIEST, base = from }: SeriesQuery): string {
  const [first = EARLIEST] = [firstDayOf(from), firstDayOf(base)].sort();
  return String(Number(first.slice(0, 4)) - YEARS_BEFORE);
}

/** The nearest figures outside a span without any. */
function nearestOf(all: readonly Sequence[], { from = EARLIEST, to = LATEST }: SeriesQuery) {
  const periods = all
    .flatMap((terms) => terms.flatMap(({ period, value }) => (value === null ? [] : [period])))
    .sort((a, b) => (lastDayOf(a) < lastDayOf(b) ? -1 : 1));
  return nearestEnds({
    before: periods.findLast((period) => lastDayOf(period) < firstDayOf(from)) ?? null,
    after: periods.find((period) => lastDayOf(period) > lastDayOf(to)) ?? null,
  });
}

/** @throws ApiError `invalid_parameter` */
function requireOneOperation(query: SeriesQuery): void {
  const [other, parameter] = (['minus', 'per', 'times'] as const).filter((name) => query[name] !== undefined);
  if (other === undefined || parameter === undefined) return;
  throw invalidParameter({ parameter, reason: 'not_together', args: { other } });
}

/** @throws ApiError `invalid_parameter` */
function requireParameter(query: SeriesQuery, parameter: keyof SeriesQuery, other: keyof SeriesQuery): void {
  if (query[parameter] === undefined || query[other] !== undefined) return;
  throw invalidParameter({ parameter, reason: 'only_with', args: { other } });
}

/** @throws ApiError `invalid_parameter` */
function requireIndex({ base, transform }: SeriesQuery): void {
  if (base === undefined || transform === 'index' || transform === 'compound') return;
  throw invalidParameter({ parameter: 'base', reason: 'only_with', args: { other: 'transform=index, compound' } });
}
