import type pg from 'pg';
import { nextPeriod } from '../../../domain/figures/periods.js';
import type { CodeBook, SubjectCodes } from '../../catalogue/code-book.js';
import { ImportError, type Extent } from '../../batches/importer.js';
import { CopyBuffer } from '../../publication/copy-buffer.js';
import type { SeriesRegistry } from './series-registry.js';

interface Span {
  readonly first: string;
  readonly last: string;
}

/** Collects the coverage that a delivery declares, in the publisher's codes, and maps it to series. */
export class DeclaredCoverage {
  private readonly spans = new Map<string, Span>();

  add(extent: Extent): void {
    const key = JSON.stringify([extent.indicator, extent.region]);
    const held = this.spans.get(key);
    this.spans.set(key, held === undefined ? extent : joined(held, extent, key));
  }

  /** Writes the tables `declared_coverage` and `declared_coverage_without_series`. */
  async store(client: pg.PoolClient, codes: CodeBook, series: SeriesRegistry): Promise<void> {
    const bySeries = new Map<number, Span>();
    const unheld = new CopyBuffer(
      client,
      'declared_coverage_without_series (indicator, region, first_period, last_period)',
    );
    for (const [key, span] of this.spans) {
      const [indicatorCode, regionCode] = JSON.parse(key) as [string, string | null];
      for (const id of this.heldSeries({ indicator: indicatorCode, region: regionCode }, span, codes, series, unheld)) {
        const held = bySeries.get(id);
        bySeries.set(id, held === undefined ? span : joined(held, span, key));
      }
    }
    await unheld.flush();
    const rows = new CopyBuffer(client, 'declared_coverage (series_id, first_period, last_period)');
    for (const [id, { first, last }] of bySeries) rows.add([id, first, last]);
    await rows.flush();
    await client.query('ANALYZE declared_coverage');
  }

  /** Ids of the covered series. Coverage of series that do not exist is kept for when they are created. */
  private heldSeries(
    declared: SubjectCodes,
    span: Span,
    codes: CodeBook,
    series: SeriesRegistry,
    unheld: CopyBuffer,
  ): readonly number[] {
    const indicator = codes.indicator(declared.indicator);
    if (declared.region === null && indicator !== undefined) {
      unheld.add([indicator.slug, null, span.first, span.last]);
      return [...series.of(indicator.slug)];
    }
    const subject = codes.subject(declared);
    if (typeof subject === 'string') return [];
    const id = series.find(subject);
    if (id !== undefined) return [id];
    if ('indicator' in subject) {
      unheld.add([subject.indicator.slug, subject.region.code, span.first, span.last]);
    }
    return [];
  }
}

/** Joins two spans that touch. A gap is refused: absence inside it would close figures that no file covers. */
function joined(one: Span, other: Span, what: string): Span {
  const [early, late] = one.first <= other.first ? [one, other] : [other, one];
  if (late.first > early.last && late.first > nextPeriod(early.last)) {
    throw new ImportError(
      `The files cover ${what} over two spans with a gap between them (${early.first} to ${early.last}, ` +
        `${late.first} to ${late.last}): import them one after the other`,
    );
  }
  return { first: early.first, last: late.last > early.last ? late.last : early.last };
}
