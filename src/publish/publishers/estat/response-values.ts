// Maps the values of a response to the indicators that the catalogue names by table and classes.
import { z } from 'zod';
import { frequencyOf } from '../../../domain/figures/periods.js';
import { unitNamed, type UnitCode } from '../../../domain/figures/units.js';
import { readCatalogue } from '../../catalogue/catalogue.js';
import type { IndicatorEntry } from '../../catalogue/catalogue.schema.js';
import { ImportError, widened, type Batch, type Extent, type SourcePosition } from '../../batches/importer.js';
import { BatchBuffer } from '../../batches/batch-buffer.js';
import { addPrinted, positiveFigure, printedFigure } from '../../batches/printed-figure.js';
import { quoted } from '../../batches/text.js';
import { HeadReader, type ResponseHead } from './response-head.js';
import { responseParts } from './response-parts.js';
import { periodOfTime } from './time-codes.js';

const VALUE = z.looseObject({ '@time': z.string(), '@unit': z.string().optional(), $: z.string().default('') });
type Value = z.infer<typeof VALUE>;

const NOTES = z
  .union([z.object({ '@char': z.string() }), z.array(z.object({ '@char': z.string() }))])
  .transform((notes) => [notes].flat().map((note) => note['@char']));

/** Marks of a missing figure: not collected, suppressed by the office, not applicable. A table may define more. */
const ABSENT = ['', '-', '－', '‐', '***', '*', '...', '…', 'X', 'x', 'χ'];

/** How the offices write the units of the catalogue. */
const UNIT_NAMES: ReadonlyMap<string, UnitCode> = new Map(
  Object.entries({ 千円: 'jpy_thousands', '％': 'percent', '%': 'percent', 人: 'person' }),
);
const NATION = '00000';
const JAPAN = 'JPN';

/**
 * Figures and coverage of one response; the coverage spans the first to the last time of a series, with or without
 * values.
 */
export async function* readValues(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Batch> {
  const above = new HeadReader(file);
  let reader: ValueReader | null = null;
  const absent = new Set(ABSENT);
  for await (const part of responseParts(chunks, file)) {
    if (part.key === 'NOTE') for (const mark of NOTES.safeParse(part.value).data ?? []) absent.add(mark);
    else if (part.key !== 'VALUE') above.take(part);
    else {
      reader ??= new ValueReader(file, above.head, absent);
      reader.take(part.value);
      if (reader.batch.full) yield* reader.batch.take();
    }
  }
  if (reader === null) throw new ImportError(`${file} is a response of e-Stat without values`);
  yield* reader.end();
}

class ValueReader {
  readonly batch = new BatchBuffer();
  private readonly extents = new Map<string, Extent>();
  private readonly named: ReadonlyMap<string, IndicatorEntry>;
  private line = 0;

  constructor(
    private readonly file: string,
    private readonly head: ResponseHead,
    private readonly absent: ReadonlySet<string>,
  ) {
    this.named = new Map(
      readCatalogue()
        .indicators.filter(({ provider }) => provider === 'estat')
        .map((entry) => [entry.providerCode, entry]),
    );
  }

  take(item: unknown): void {
    this.line += 1;
    const parsed = VALUE.safeParse(item);
    if (!parsed.success) {
      const place = { file: this.file, line: this.line, column: 'VALUE' };
      this.batch.add('bad', { place, reason: 'the item is not a value with its time' });
      return;
    }
    const value = parsed.data;
    const indicator = indicatorCode(this.head.table, value);
    const entry = this.named.get(indicator);
    const region = this.regionOf(value);
    const place = { file: this.file, line: this.line, column: indicator };
    // Passes unmapped codes on, so that the report lists them.
    if (entry === undefined) {
      this.batch.add('figures', { indicator, region, period: value['@time'], value: value.$, place });
      return;
    }
    this.takeNamed(entry, region, value, place);
  }

  *end(): Generator<Batch> {
    for (const extent of this.extents.values()) this.batch.add('extents', extent);
    yield* this.batch.take();
  }

  private takeNamed(entry: IndicatorEntry, region: string, value: Value, place: SourcePosition): void {
    const indicator = entry.providerCode;
    const period = periodOfTime(value['@time']);
    if (period === null) {
      this.batch.add('bad', { place, reason: `${quoted(value['@time'])} is not a time that is known` });
      return;
    }
    // One table may contain months and years; an indicator uses one of them.
    if (frequencyOf(period) !== entry.frequency) return;
    const key = `${indicator} ${region}`;
    this.extents.set(key, { indicator, region, ...widened(this.extents.get(key), period) });
    if (this.absent.has(value.$)) return;
    const cell = { indicator, region, period };
    const unit = value['@unit'] ?? '';
    if (UNIT_NAMES.get(unit) !== entry.unit) {
      const reason = `the unit is ${quoted(unit)}, expected that of ${entry.slug}`;
      this.batch.add('bad', { place, cell, reason });
      return;
    }
    const positive = ['money', 'index'].includes(unitNamed(entry.unit).dimension);
    addPrinted(this.batch, positive ? positiveFigure(value.$) : printedFigure(value.$), cell, place);
  }

  private regionOf(value: Value): string {
    const area = value['@area'];
    if (typeof area === 'string') return area === NATION ? JAPAN : `area ${area}`;
    return this.head.nationwide ? JAPAN : 'an area that is not named';
  }
}

/** `0003425893/tab=40,cat01=01`: the table and the class of every axis but place and time. */
export function indicatorCode(table: string, value: Readonly<Record<string, unknown>>): string {
  const axes = Object.keys(value)
    .filter((key) => /^@(tab|cat\d\d)$/.test(key))
    .map((key) => key.slice(1))
    .sort((a, b) => Number(b === 'tab') - Number(a === 'tab') || (a < b ? -1 : 1));
  return `${table}/${axes.map((axis) => `${axis}=${String(value[`@${axis}`])}`).join(',')}`;
}
