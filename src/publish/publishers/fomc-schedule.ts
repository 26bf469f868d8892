import { ImportError } from '../batches/importer.js';
import { elementsOf, htmlDocument, isHeading, type MarkupElement, textOf } from '../batches/markup.js';
import { quoted } from '../batches/text.js';
import { type AnnouncedRelease, announcements } from './releases/announced-releases.js';
import { dayIn } from './releases/written-dates.js';

/** The Committee announces its decision on the last day of a meeting, at two in the afternoon. */
const ANNOUNCED_AT = '14:00';

const isMarked =
  (word: string) =>
  ({ attribs }: MarkupElement): boolean =>
    (attribs.class ?? '').split(/\s+/).includes(word);
const isMonth = isMarked('fomc-meeting__month');
const isDate = isMarked('fomc-meeting__date');

/** Below the heading of a year, the month and the days of each meeting: `January`, `27-28`; `Apr/May`, `30-1*`. */
function readMeetings(page: string, url: string): AnnouncedRelease[] {
  const releases: AnnouncedRelease[] = [];
  let year = '';
  let month = '';
  const parts = elementsOf(htmlDocument(page), (one) => isHeading(one) || isMonth(one) || isDate(one));
  for (const part of parts) {
    const text = textOf(part);
    if (isHeading(part)) year = /^(\d{4}) FOMC Meetings$/.exec(text)?.[1] ?? year;
    else if (isMonth(part)) month = text.replace(/^.*\//, '');
    else releases.push(...meetingOn(year, month, text, url));
  }
  return releases;
}

function meetingOn(year: string, month: string, days: string, url: string): AnnouncedRelease[] {
  const [, last = '', note = ''] = /^(?:\d{1,2}-)?(\d{1,2})\*? ?(?:\((.*)\))?$/.exec(days) ?? [];
  const day = dayIn(year, month, last);
  if (day === null) throw new ImportError(`${url}: ${quoted(`${month} ${days}, ${year}`)} is no meeting`);
  // Beside the meetings stand votes and calls, which nobody announces.
  const isCancelled = /cancel/i.test(note);
  if (note !== '' && !isCancelled) return [];
  return [{ day, time: ANNOUNCED_AT, period: day, estimate: null, isCancelled }];
}

/** Federal Open Market Committee: the meetings that it has announced, years ahead. */
export const { importer: fomcSchedule, fetch: fetchMeetings } = announcements({
  publisher: 'fomc-schedule',
  provider: 'frb',
  indicator: 'policy-rate-upper',
  region: 'US',
  base: 'https://www.federalreserve.gov',
  page: 'monetarypolicy/fomccalendars.htm',
  read: readMeetings,
});
