// Requests the Board's page on open market operations: all changes of the target range, by year.
import { ImportError, type FetchOptions } from '../../batches/importer.js';
import { fetchBy, type FetchPlan, type FetchSettings } from '../../downloads/fetch-plan.js';
import { cellTexts, elementsOf, htmlDocument, isHeading, textOf } from '../../batches/markup.js';
import { quoted } from '../../batches/text.js';
import { dayIn } from '../releases/written-dates.js';

/** Columns of the file in which the decisions are kept. */
export const DECISION_COLUMNS = ['effective_date', 'upper'] as const;

const HEADER = 'Date|Increase|Decrease|Level (%)';

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
