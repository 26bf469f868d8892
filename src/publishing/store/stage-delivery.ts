import type pg from 'pg';
import type { CodeBook } from '../catalogue/catalogue.js';
import type { BadRow, Cell, FigureRow } from '../importers/importer.js';
import { BadRowsError, type BadRows } from './bad-rows.js';
import { CopyBuffer } from './copy-rows.js';
import { dropDuplicates } from './duplicates.js';
import { NotedOrigins } from './noted-origins.js';
import { SeriesRegistry } from './series-registry.js';
import type { Ledger, Publication } from './ledger.js';
import { SpokenExtents } from './spoken-extents.js';
import type { UnnamedCodes } from './unnamed-codes.js';

export interface StagedDelivery {
  /** Figures read, of those that the catalogue names. */
  readonly rows: number;
  readonly seriesCreated: number;
  /** False when a row was left out whose figure is unknown: then nothing may be closed. */
  readonly closes: boolean;
  /** What the delivery's own words about its sources have changed. */
  readonly noted: number;
}

/** Reads a delivery into the temporary tables. Memory does not grow with its size. */
export class DeliveryStager {
  private readonly files = new Map<string, number>();
  private readonly client: pg.PoolClient;
  private readonly codes: CodeBook;
  private readonly bad: BadRows;
  private readonly unnamed: UnnamedCodes;
  private readonly extents = new SpokenExtents();
  private readonly staged: CopyBuffer;
  private readonly unspoken: CopyBuffer;
  private pending: FigureRow[] = [];
  private rows = 0;
  private closes = true;

  private constructor(
    private readonly publication: Publication,
    private readonly series: SeriesRegistry,
    private readonly skipBadRows: boolean,
  ) {
    const { client, codes, bad, unnamed } = publication;
    this.client = client;
    this.codes = codes;
    this.bad = bad;
    this.unnamed = unnamed;
    this.staged = new CopyBuffer(client, 'staged (series_id, period, value, file, line, place)');
    this.unspoken = new CopyBuffer(client, 'unspoken (series_id, period)');
  }

  static async stage(
    publication: Publication,
    ledgers: readonly Ledger[],
    options: { readonly skipBadRows: boolean; readonly onBytes: (count: number) => void },
  ): Promise<StagedDelivery> {
    const series = await SeriesRegistry.open(publication.client, publication.delivery.vintage);
    const stager = new DeliveryStager(publication, series, options.skipBadRows);
    return stager.read(ledgers, options.onBytes);
  }

  private async read(ledgers: readonly Ledger[], onBytes: (count: number) => void): Promise<StagedDelivery> {
    const { delivery } = this.publication;
    const origins = await NotedOrigins.open(this.client, this.codes);
    for await (const batch of delivery.read(onBytes)) {
      if (batch.kind === 'extents') for (const extent of batch.extents) this.extents.add(extent);
      else if (batch.kind === 'notes') await origins.take(batch.notes);
      else if (batch.kind === 'bad') for (const row of batch.rows) this.leaveOut(row);
      else if (batch.kind === 'figures') await this.take(batch.rows);
      else for (const ledger of ledgers) await ledger.take(batch);
    }
    await this.send();
    await this.staged.flush();
    await this.unspoken.flush();
    await dropDuplicates(this.client, [...this.files.keys()], this.bad);
    if (this.bad.count > 0 && !this.skipBadRows) {
      throw new BadRowsError(delivery.name, this.bad.count, this.bad.listed);
    }
    await this.extents.store(this.client, this.codes, this.series);
    await this.refuseUnspoken();
    return {
      rows: this.rows,
      seriesCreated: this.series.created,
      closes: this.closes,
      noted: await origins.apply(),
    };
  }

  private leaveOut(row: BadRow): void {
    this.bad.add(row);
    if (row.cell === undefined) this.closes = false;
    else this.passOver(row.cell);
  }

  /** A cell of a series that is not held needs no protection: it has nothing to be closed. */
  private passOver(cell: Cell): void {
    const subject = this.codes.subject(cell);
    const id = typeof subject === 'string' ? undefined : this.series.find(subject);
    if (id !== undefined) this.unspoken.add([id, cell.period]);
  }

  private async take(rows: readonly FigureRow[]): Promise<void> {
    for (const row of rows) {
      const subject = this.codes.subject(row);
      if (typeof subject === 'string') {
        this.unnamed.add(subject, (subject === 'region' ? row.region : null) ?? row.indicator);
      } else {
        this.series.announce(subject);
        this.pending.push(row);
      }
    }
    if (this.pending.length >= 10_000) await this.send();
  }

  private async send(): Promise<void> {
    await this.series.make();
    for (const row of this.pending) {
      const subject = this.codes.subject(row);
      const id = typeof subject === 'string' ? undefined : this.series.find(subject);
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

  /** An importer that gives figures outside of its own extents is a mistake in the importer. */
  private async refuseUnspoken(): Promise<void> {
    const { rows } = await this.client.query<{ subject: string; period: string }>(
      `SELECT coalesce(instrument, concat_ws(' ', indicator, region)) AS subject, period FROM staged
       JOIN series ON series.id = series_id LEFT JOIN spoken USING (series_id)
       WHERE (period BETWEEN first_period AND last_period) IS NOT TRUE LIMIT 1`,
    );
    const [row] = rows;
    if (row !== undefined) {
      throw new Error(`${row.subject} ${row.period} lies outside of what its delivery covers`);
    }
  }
}
