import { isDay } from '../../../domain/figures/periods.js';
import { BatchBuffer } from '../../batches/batch-buffer.js';
import { openDeliveries, type RecognisedFile } from '../../batches/deliveries.js';
import { widened, type Batch, type Importer, type Span } from '../../batches/importer.js';
import { namedRows, requireNamed } from '../../batches/named-columns.js';
import { addPrinted, printedFigure } from '../../batches/printed-figure.js';
import { quoted } from '../../batches/text.js';
import { readHeld, wholeText } from '../../batches/whole-text.js';
import { DECISION_COLUMNS, fetchDecisions } from './fetch-plan.js';

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
