import { isDay } from '../../domain/figures/periods.js';
import { BatchBuffer } from '../batches/batch-buffer.js';
import { openDeliveries, type RecognisedFile } from '../batches/deliveries.js';
import { type Batch, type FetchOptions, type Importer, ImportError, type Span, widened } from '../batches/importer.js';
import { cellTexts, elementsOf, htmlDocument, isHeading, textOf } from '../batches/markup.js';
import { namedRows, requireNamed } from '../batches/named-columns.js';
import { addPrinted, printedFigure } from '../batches/printed-figure.js';
import { quoted } from '../batches/text.js';
import { readHeld, wholeText } from '../batches/whole-text.js';
import { fetchBy, type FetchPlan, type FetchSettings } from '../downloads/fetch-plan.js';
import { dayIn } from './releases/written-dates.js';

/** Columns of the file in which the decisions are kept. */
const DECISION_COLUMNS = ['effective_date', 'upper'] as const;

const HEADER = 'Date|Increase|Decrease|Level (%)';

/** The Board's page on open market operations: all changes of the target range, by year. */
function* plan(_options: FetchOptions, { base }: FetchSettings): FetchPlan<true> {
  yield {
    url: `${base}/monetarypolicy/openmarket.htm`,
    file: 'target-range.csv',
    accept: (body, url) => {
      const decisions = decisionsIn(body.toString('utf8'), url);
      return { result: true, content: [DECISION_COLUMNS.join(','), ...decisions, ''].join('\n') };
    },
    progress: () => ({ what: 'target range', left: 0 }),
  };
}

/** Lines of the file, oldest first. Until December 2008 the target was one rate, not a range. */
function decisionsIn(page: string, url: string): string[] {
  let year = '';
  let isTable = false;
  const lines: string[] = [];
  for (const part of elementsOf(htmlDocument(page), (one) => isHeading(one) || one.name === 'tr')) {
    if (isHeading(part)) {
      year = textOf(part);
      isTable = false;
      continue;
    }
    const cells = cellTexts(part);
    if (cells.join('|') === HEADER) isTable = true;
    else if (isTable) lines.push(...lineOf(cells, year, url));
  }
  if (lines.length === 0) throw new ImportError(`${url} has no table of changes of the target range`);
  return lines.sort();
}

function lineOf([date = '', , , level = '']: readonly string[], year: string, url: string): string[] {
  const [, month = '', number = ''] = /^(\S+) (\d{1,2})\*?$/.exec(date) ?? [];
  const [, upper = level] = /^[\d.]+ ?[-–] ?([\d.]+)$/.exec(level) ?? [];
  const day = dayIn(year, month, number);
  if (day === null || !/^\d{1,2}(\.\d+)?$/.test(upper)) {
    throw new ImportError(`${url}: ${quoted(`${date}, ${year}: ${level}`)} is no change of the target range`);
  }
  return upper === level ? [] : [`${day},${upper}`];
}

export const fetchDecisions = fetchBy({ base: 'https://www.federalreserve.gov' }, plan);

const SERIES = { indicator: 'DFEDTARU', region: 'US' } as const;

async function* readDecisions(text: string, file: string): AsyncGenerator<Batch> {
  const batch = new BatchBuffer();
  let span: Span | null = null;
  for (const row of await namedRows(text, file, DECISION_COLUMNS)) {
    const period = row.cell('effective_date');
    const refuse = (reason: string): void => batch.add('bad', { place: row.place('effective_date'), reason });
    if (row.fault !== null) refuse(row.fault);
    else if (!isDay(period)) refuse(`${quoted(period)} is not a day`);
    else {
      span = widened(span, period);
      addPrinted(batch, printedFigure(row.cell('upper')), { ...SERIES, period }, row.place('upper'));
    }
  }
  if (span !== null) batch.add('extents', { ...SERIES, ...span });
  yield* batch.take();
}

async function recognise(file: string): Promise<RecognisedFile> {
  const text = await wholeText(file);
  await requireNamed(text, file, DECISION_COLUMNS);
  return { stated: null, read: (chunks) => readHeld(chunks, () => readDecisions(text, file)) };
}

/**
 * Board of Governors of the Federal Reserve System: the upper limit of the target range, by the day on which it took
 * effect. Meetings that changed nothing have no figure.
 */
export const frb: Importer = {
  publisher: 'frb',
  open: (paths, vintage, onStray) => openDeliveries(paths, vintage, recognise, undefined, onStray),
  fetch: fetchDecisions,
};
