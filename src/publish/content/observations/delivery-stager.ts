import type pg from 'pg';
import type { CodeBook, SeriesSubject } from '../../catalogue/code-book.js';
import type { BadRow, Cell, FigureRow } from '../../batches/importer.js';
import { BadRowsError, type BadRows } from '../../publication/bad-rows.js';
import { CopyBuffer } from '../../publication/copy-buffer.js';
import { dropDuplicates } from './duplicate-rows.js';
import { DeclaredSources } from './declared-sources.js';
import { SeriesRegistry } from './series-registry.js';
import type { ContentHandler } from '../content-handler.js';
import type { PublishContext } from '../../publication/publish-context.js';
import { DeclaredCoverage } from './declared-coverage.js';
import type { UnmappedCodes } from '../../publication/unmapped-codes.js';

export interface StagedDelivery {
  /** Figures read, of those that the catalogue names. */
  readonly rows: number;
  readonly seriesCreated: number;
  /** False when the figure of a rejected row is unknown: then the delivery closes nothing. */
  readonly closes: boolean;
  /** New source declarations of the delivery, and the series that they withhold. */
  readonly newSources: number;
  /** Notes on sources, also those that say nothing new. */
  readonly notes: number;
  /** Names of its files, by their number in `staged_observations`. */
  readonly files: readonly string[];
}

/** A series whose figures were all retracted begins anew. */
const REBASE = `
  UPDATE series s SET baseline_day = $1::date FROM declared_coverage e
  WHERE e.series_id = s.id AND s.baseline_day <> $1::date
    AND NOT EXISTS (SELECT FROM observations o WHERE o.series_id = s.id)
    AND EXISTS (SELECT FROM staged_observations t WHERE t.series_id = s.id)`;

/** Copies a delivery into staging tables. Memory does not grow with its size. */
export class DeliveryStager {
  private readonly files = new Map<string, number>();
  private readonly client: pg.PoolClient;
  private readonly codes: CodeBook;
  private readonly bad: BadRows;
  private readonly unmapped: UnmappedCodes;
  private readonly extents = new DeclaredCoverage();
  private readonly staged: CopyBuffer;
  private readonly excluded: CopyBuffer;
  private pending: { readonly row: FigureRow; readonly subject: SeriesSubject }[] = [];
  private rows = 0;
  private closes = true;

  private constructor(
    private readonly context: PublishContext,
    private readonly series: SeriesRegistry,
    private readonly skipBadRows: boolean,
  ) {
    const { client, codes, bad, unmapped } = context;
    this.client = client;
    this.codes = codes;
    this.bad = bad;
    this.unmapped = unmapped;
    this.staged = new CopyBuffer(client, 'staged_observations (series_id, period, value, file, line, place)');
    this.excluded = new CopyBuffer(client, 'excluded_observations (series_id, period)');
  }

  static async stage(
    context: PublishContext,
    handlers: readonly ContentHandler[],
    options: { readonly skipBadRows: boolean; readonly onBytes: (count: number) => void },
  ): Promise<StagedDelivery> {
    const series = await SeriesRegistry.open(context.client, context.delivery.vintage);
    const stager = new DeliveryStager(context, series, options.skipBadRows);
    return stager.read(handlers, options.onBytes);
  }

  private async read(handlers: readonly ContentHandler[], onBytes: (count: number) => void): Promise<StagedDelivery> {
    const { delivery } = this.context;
    const sources = await DeclaredSources.open(this.client, this.codes);
    let notes = 0;
    for await (const batch of delivery.read(onBytes)) {
      if (batch.kind === 'extents') for (const extent of batch.rows) this.extents.add(extent);
      else if (batch.kind === 'notes') {
        notes += batch.rows.length;
        await sources.take(batch.rows);
      } else if (batch.kind === 'bad') for (const row of batch.rows) this.leaveOut(row);
      else if (batch.kind === 'figures') await this.take(batch.rows);
      else for (const handler of handlers) await handler.take(batch);
    }
    await this.send();
    await this.staged.flush();
    await this.excluded.flush();
    await dropDuplicates(this.client, [...this.files.keys()], this.bad);
    if (this.bad.count > 0 && !this.skipBadRows) {
      throw new BadRowsError(delivery.name, this.bad.count, this.bad.listed);
    }
    await this.extents.store(this.client, this.codes, this.series);
    await this.client.query(REBASE, [delivery.vintage]);
    await this.refuseUndeclared();
    return {
      rows: this.rows,
      seriesCreated: this.series.created,
      closes: this.closes,
      newSources: await sources.apply(),
      notes,
      files: [...this.files.keys()],
    };
  }

  private leaveOut(row: BadRow): void {
    this.bad.add(row);
    if (row.cell === undefined) this.closes = false;
    else this.passOver(row.cell);
  }

  /** Only existing series have observations that could be closed. */
  private passOver(cell: Cell): void {
    const subject = this.codes.subject(cell);
    const id = typeof subject === 'string' ? undefined : this.series.find(subject);
    if (id !== undefined) this.excluded.add([id, cell.period]);
  }

  private async take(rows: readonly FigureRow[]): Promise<void> {
    for (const row of rows) {
      const subject = this.codes.subject(row);
      if (typeof subject === 'string') {
        this.unmapped.add(subject, (subject === 'region' ? row.region : null) ?? row.indicator);
      } else {
        this.series.announce(subject);
        this.pending.push({ row, subject });
      }
    }
    if (this.pending.length >= 10_000) await this.send();
  }

  private async send(): Promise<void> {
    await this.series.make();
    for (const { row, subject } of this.pending) {
      const id = this.series.find(subject);
      if (id === undefined) throw new Error(`No series was made for ${row.indicator} ${row.region ?? ''}`);
      const { file, line, column } = row.place;
      this.staged.add([id, row.period, row.value, this.fileNumber(file), line, column]);
    }
    this.rows += this.pending.length;
    this.pending = [];
    await this.staged.send();
  }

  private fileNumber(file: string): number {
    const number = this.files.get(file) ?? this.files.size;
    this.files.set(file, number);
    return number;
  }

  /** Figures outside the declared coverage are a bug of the importer. */
  private async refuseUndeclared(): Promise<void> {
    const { rows } = await this.client.query<{ subject: string; period: string }>(
      `SELECT coalesce(instrument, concat_ws(' ', indicator, region)) AS subject, period FROM staged_observations
       JOIN series ON series.id = series_id LEFT JOIN declared_coverage USING (series_id)
       WHERE (period BETWEEN first_period AND last_period) IS NOT TRUE LIMIT 1`,
    );
    const [row] = rows;
    if (row !== undefined) {
      throw new Error(`${row.subject} ${row.period} lies outside of what its delivery covers`);
    }
  }
}
