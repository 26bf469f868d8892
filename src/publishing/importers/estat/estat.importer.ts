import { createReadStream } from 'node:fs';
import { ImportError, type Importer } from '../importer.js';
import { openDeliveries, type RecognisedFile } from '../reading/deliveries.js';
import { wordsOf } from '../reading/text.js';
import { requireWholeAnswers, type AnswerHead } from './answer-head.js';
import { readValues } from './answer-values.js';
import { EstatApi, headOf } from './live.js';

interface EstatFile extends RecognisedFile {
  readonly file: string;
  readonly head: AnswerHead;
}

/** e-Stat, the portal of Japan's statistics: answers of getStatsData (version 3, JSON). */
export const estat: Importer = {
  publisher: 'estat',
  open: (paths, vintage) => openDeliveries(paths, vintage, recognise, requireWholeAnswers),
  fetch: (options) => new EstatApi().fetch(options),
};

async function recognise(file: string): Promise<EstatFile> {
  const start = await startOf(file);
  if (start.trim() === '') throw new ImportError(`${file} is empty`);
  if (start.trimStart().startsWith('<')) {
    throw new ImportError(`${file} is a page of HTML or XML that says ${wordsOf(start)}`);
  }
  const head = await headOf(file);
  return { file, head, lastUpdated: head.updatedOn, read: (chunks) => readValues(chunks, file) };
}

async function startOf(file: string): Promise<string> {
  for await (const chunk of createReadStream(file, { end: 4_095 }) as AsyncIterable<Buffer>) {
    return chunk.toString('utf8').replace(/^\ufeff/, '');
  }
  return '';
}
