// Reads release schedules in Tidemark's own format: docs/reference/calendar-files.md.
import { frequencyOf, isDay, isPeriod } from '../../../domain/figures/periods.js';
import { readCatalogue } from '../../catalogue/catalogue.js';
import type { Batch, BadRow, ScheduleRow } from '../../batches/importer.js';
import { namedRows, type NamedRow } from '../../batches/named-columns.js';
import { quoted } from '../../batches/text.js';
import { instantOf, isTimeZone } from '../../../domain/figures/local-time.js';

export const SCHEDULE_COLUMNS = [
  ...(['release_date', 'time', 'time_zone', 'indicator', 'region'] as const),
  ...(['period', 'estimate', 'status', 'source_url'] as const),
] as const;
type Column = (typeof SCHEDULE_COLUMNS)[number];

const STATUSES: readonly string[] = ['scheduled', 'postponed', 'cancelled'] satisfies ScheduleRow['status'][];

export async function* readSchedule(text: string, file: string): AsyncGenerator<Batch> {
  const rows: ScheduleRow[] = [];
  const bad: BadRow[] = [];
  for (const row of await namedRows(text, file, SCHEDULE_COLUMNS)) {
    const fault = row.fault === null ? faultOf(row) : { column: '' as const, reason: row.fault };
    if (fault === null) rows.push(eventOf(row));
    else bad.push({ place: row.place(fault.column), reason: fault.reason });
  }
  yield { kind: 'bad', rows: bad };
  yield { kind: 'events', rows };
}

function faultOf(row: NamedRow<Column>): { readonly column: Column; readonly reason: string } | null {
  const wrong = (column: Column, what: string) => ({ column, reason: `${quoted(row.cell(column))} is not ${what}` });
  const day = row.cell('release_date');
  const time = row.cell('time');
  const zone = row.cell('time_zone');
  const period = row.cell('period');
  if (!isDay(day)) return wrong('release_date', 'a day such as 2026-12-09');
  if (!isTimeZone(zone)) return wrong('time_zone', 'an IANA time zone such as America/New_York');
  if (time !== '' && !/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) return wrong('time', 'a time such as 08:30');
  if (time !== '' && instantOf(day, time, zone) === null) {
    return wrong('time', 'a time that clocks show there on that day');
  }
  if (!isPeriod(period)) return wrong('period', 'a period such as 2026-10');
  const entry = entryOf(row.cell('indicator'));
  if (entry !== undefined && frequencyOf(period) !== entry.frequency) {
    return wrong('period', `a period of ${entry.slug}`);
  }
  if (!/^[1-9]?$/.test(row.cell('estimate'))) return wrong('estimate', 'empty or a number from 1 to 9');
  if (!STATUSES.includes(row.cell('status'))) return wrong('status', `one of ${STATUSES.join(', ')}`);
  if (!isSecureAddress(row.cell('source_url'))) return wrong('source_url', 'an address that begins with https://');
  return null;
}

function eventOf(row: NamedRow<Column>): ScheduleRow {
  const [day, time, zone] = [row.cell('release_date'), row.cell('time'), row.cell('time_zone')];
  const slug = row.cell('indicator');
  const estimate = row.cell('estimate');
  return {
    indicator: entryOf(slug)?.providerCode ?? slug,
    region: row.cell('region'),
    period: row.cell('period'),
    estimate: estimate === '' ? null : Number(estimate),
    scheduledOn: day,
    timeZone: zone,
    scheduledAt: time === '' ? null : instantOf(day, time, zone),
    status: row.cell('status') as ScheduleRow['status'],
    sourceUrl: row.cell('source_url'),
    place: row.place('release_date'),
  };
}

const entryOf = (slug: string) => readCatalogue().indicators.find((entry) => entry.slug === slug);

const isSecureAddress = (text: string): boolean => text.startsWith('https://') && URL.canParse(text);
