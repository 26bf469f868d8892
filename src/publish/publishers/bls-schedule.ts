import { ImportError } from '../batches/importer.js';
import { cellTexts, elementsOf, htmlDocument } from '../batches/markup.js';
import { quoted } from '../batches/text.js';
import { type AnnouncedRelease, announcements } from './releases/announced-releases.js';
import { clockTime, dayIn, monthOf } from './releases/written-dates.js';

const HEADER = 'Reference Month|Release Date|Release Time';

/** The table of the page: reference month, day and time of each release of the consumer price index. */
function readBlsSchedule(page: string, url: string): AnnouncedRelease[] {
  const rows = elementsOf(htmlDocument(page), ({ name }) => name === 'tr').map(cellTexts);
  const first = rows.findIndex((cells) => cells.join('|') === HEADER);
  if (first < 0) throw new ImportError(`${url} has no table with the columns ${HEADER.replaceAll('|', ', ')}`);
  return rows
    .slice(first + 1)
    .filter((cells) => cells.length === 3)
    .flatMap((cells) => releaseIn(cells, url));
}

function releaseIn([reference = '', date = '', clock = '']: readonly string[], url: string): AnnouncedRelease[] {
  // A release that does not take place has no day, as that of October 2025.
  if (/cancel/i.test(`${date} ${clock}`)) return [];
  const [, month = '', year = ''] = /^(\S+) (\d{4})$/.exec(reference) ?? [];
  const [, name = '', number = '', of = ''] = /^(\S+) (\d{1,2}), (\d{4})$/.exec(date) ?? [];
  const period = `${year}-${monthOf(month) ?? ''}`;
  const day = dayIn(of, name, number);
  const time = clockTime(clock);
  if (monthOf(month) === null || day === null || time === null) {
    throw new ImportError(`${url}: ${quoted([reference, date, clock].join(', '))} is no release`);
  }
  return [{ day, time, period, estimate: null, isCancelled: false }];
}

/** U.S. Bureau of Labor Statistics: when the consumer price index is released. */
export const { importer: blsSchedule, fetch: fetchBlsSchedule } = announcements({
  publisher: 'bls-schedule',
  provider: 'bls',
  indicator: 'consumer-price-index',
  region: 'US',
  base: 'https://www.bls.gov',
  page: 'schedule/news_release/cpi.htm',
  read: readBlsSchedule,
});
