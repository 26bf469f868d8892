import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import type { Read } from '../../../store/snapshots.js';
import { ApiError, notFound } from '../../../domain/errors/api-error.js';
import { numberOf, unitOf } from '../../../domain/figures/figure.js';
import { previousPeriod, yearBeforeOf } from '../../../domain/figures/periods.js';
import { unitNamed } from '../../../domain/figures/units.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { Texts } from '../../../domain/locale/texts.service.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { Result } from '../../responses/result.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import type { Citations } from '../../../domain/sources/citations.js';
import { changesResource } from '../changes/change.schema.js';
import { signalsResource } from '../signals/signal.schema.js';
import {
  DERIVED_CHANGE,
  DERIVED_OF_SIGNAL,
  FIGURES_NOW,
  FIGURES_OF_CONTEXT,
  PRICES_OF_MOVE,
  RELATIONS_OF_CHANGE,
  VALUES_OF_PERIODS,
  type DerivedChangeRow,
  type InputRow,
  type StatedRelationRow,
} from './receipt.rows.js';
import type { Receipt, ReceiptInput } from './receipt.schema.js';

/** A move is compared with the 250 steps before it: docs/explanation/moves.md. */
const PRICES_OF_A_MOVE = 252;
/** A persistent move is watched for the twenty prices after it. */
const PRICES_AFTER = 20;
const FIRST = '';
const LAST = '9999';

/** Shows how changes and signals were derived, from the same rows that the rules read. */
@Injectable()
export class ReceiptsService {
  constructor(
    private readonly reader: ConsistentReader,
    private readonly urls: UrlBuilder,
    private readonly texts: Texts,
  ) {}

  /** @throws ApiError `not_found`, or `withdrawn` */
  ofChange(id: string, context: RequestContext): Promise<Result<Receipt>> {
    return this.reader.read(changesResource, context, async (read, cite) => {
      const [row] = await read<DerivedChangeRow>(DERIVED_CHANGE, [id]);
      if (row === undefined) throw notFound('id', 'no_change', id);
      if (row.status === 'withdrawn') throw new ApiError('withdrawn');
      const inputs = row.series === null ? [] : await inputsOf(read, row, row.series);
      const relations =
        row.series === null ? await read<StatedRelationRow>(RELATIONS_OF_CHANGE, [row.position, row.vintageDay]) : [];
      return {
        data: {
          of: { id, url: this.urls.of('changes', id) },
          rule: this.rule(row.kind, context.locale),
          unit: row.unit === null ? null : unitOf(row.unit, context.locale),
          inputs: inputs.map((input) => inputView(input, roleOf(row, input), cite)),
          relations: relations.map((relation) => relationView(relation, cite)),
          context: row.context && contextIn(row.context, context.locale),
          results: { delta: numberOf(row.delta), deltaPercent: numberOf(row.deltaPercent) },
        },
      };
    });
  }

  /**
   * The inputs of a signal: the figures of its changes and, for one on a single series, the figures that its rule read.
   */
  ofSignal(id: string, context: RequestContext): Promise<Result<Receipt>> {
    return this.reader.read(signalsResource, context, async (read, cite) => {
      const [signal] = await read<{ rule: Receipt['rule']['name'] }>(`SELECT rule FROM signals WHERE id = $1`, [id]);
      const changes = await read<DerivedChangeRow>(DERIVED_OF_SIGNAL, [id]);
      const [first] = changes;
      if (signal === undefined || first === undefined) throw notFound('id', 'no_signal', id);
      const inputs = await evidenceOf(read, signal.rule, changes);
      return {
        data: {
          of: { id, url: this.urls.of('signals', id) },
          rule: this.rule(signal.rule, context.locale),
          unit: first.unit === null ? null : unitOf(first.unit, context.locale),
          inputs: inputs.map((input) => inputView(input, 'evidence', cite)),
          relations: [],
          context: null,
          results: { delta: null, deltaPercent: null },
        },
      };
    });
  }

  private rule(name: Receipt['rule']['name'], locale: Locale): Receipt['rule'] {
    return { name, statement: this.texts.say(locale, `receipts.rule.${name}`) };
  }
}

async function inputsOf(read: Read, row: DerivedChangeRow, series: number): Promise<InputRow[]> {
  const { kind, period, previousPeriod: before } = row;
  const compared =
    kind === 'move'
      ? await read<InputRow>(PRICES_OF_MOVE, [series, period, PRICES_OF_A_MOVE])
      : (await read<InputRow>(VALUES_OF_PERIODS, [series, period, before])).filter(
          (input) => roleOf(row, input) !== 'evidence',
        );
  const beside = [...(await beyond(read, row, series, compared)), ...(await yearBefore(read, row, series))];
  const evidence = [...new Map(beside.map((input) => [input.period, input])).values()].sort((one, other) =>
    one.period.localeCompare(other.period),
  );
  return [...evidence, ...compared];
}

/** The text of a change of a monthly index compares it with the month before and with the year before. */
async function yearBefore(
  read: Read,
  { unit, period, knownOn }: DerivedChangeRow,
  series: number,
): Promise<InputRow[]> {
  const before = unit !== null && unitNamed(unit).dimension === 'index' ? yearBeforeOf(period) : null;
  return before === null ? [] : read(FIGURES_OF_CONTEXT, [series, before, before, knownOn, false]);
}

function contextIn({ value, text, ...facts }: NonNullable<DerivedChangeRow['context']>, locale: Locale) {
  return { ...facts, reference: numberOf(value), text: text[locale] };
}

/** What the context rests on, without what is compared; of a move, the earlier one that it names. */
async function beyond(
  read: Read,
  { kind, period, context, knownOn }: DerivedChangeRow,
  series: number,
  compared: readonly InputRow[],
): Promise<InputRow[]> {
  if (context === null) return [];
  const { of, since } = context;
  const from = of === 'year' ? `${Number(since.slice(0, 4)) - 1}${since.slice(4)}` : since;
  const until = kind === 'move' ? since : period;
  const rows = await read<InputRow>(FIGURES_OF_CONTEXT, [series, from, until, knownOn, of === 'step']);
  return rows.filter((row) => !compared.some((other) => other.period === row.period));
}

function roleOf(row: DerivedChangeRow, { period, knownSince, knownUntil }: InputRow): ReceiptInput['role'] {
  const { kind, vintageDay, previousBasis, previousKnownSince } = row;
  if (kind === 'move')
    return period === row.period ? 'actual' : period === row.previousPeriod ? 'previous' : 'evidence';
  const isKnown = knownSince <= vintageDay && (knownUntil === null || knownUntil > vintageDay);
  if (period === row.period && isKnown) return 'actual';
  // The last known value: a vintage between may have lacked the figure.
  const isPrevious = previousBasis === 'vintage' ? knownSince === previousKnownSince : isKnown;
  return period === row.previousPeriod && isPrevious ? 'previous' : 'evidence';
}

async function evidenceOf(
  read: Read,
  rule: Receipt['rule']['name'],
  changes: readonly DerivedChangeRow[],
): Promise<InputRow[]> {
  if (rule === 'revision_cluster') {
    const inputs: InputRow[] = [];
    for (const row of changes) if (row.series !== null) inputs.push(...(await inputsOf(read, row, row.series)));
    return inputs;
  }
  const series = [...new Set(changes.map((row) => row.series))];
  const periods = changes.map(({ period }) => period).sort();
  const [from = FIRST, to = LAST] = [periods[0], periods.at(-1)];
  if (rule === 'streak') return read<InputRow>(FIGURES_NOW, [series, FIRST, LAST]);
  if (rule === 'turn') {
    return read<InputRow>(FIGURES_NOW, [series, previousPeriod(previousPeriod(from)), to]);
  }
  const prices = await read<InputRow>(FIGURES_NOW, [series, changes[0]?.previousPeriod ?? from, LAST]);
  return prices.slice(0, 2 + PRICES_AFTER);
}

function inputView(row: InputRow, role: ReceiptInput['role'], cite: Citations): ReceiptInput {
  cite.sources(row.origins);
  return {
    role,
    series: row.instrument ?? `${row.indicator ?? ''}@${row.region ?? ''}`,
    providerCode: row.providerCode,
    period: row.period,
    value: numberOf(row.value),
    printed: row.value,
    knownSince: row.knownSince,
    knownUntil: row.knownUntil,
    source: cite.source(row.source),
  };
}

function relationView(row: StatedRelationRow, cite: Citations): Receipt['relations'][number] {
  const { childId, child, parentId, parent, source, ...stated } = row;
  return {
    child: { id: childId, name: child },
    parent: { id: parentId, name: parent },
    ...stated,
    source: cite.source(source),
  };
}
