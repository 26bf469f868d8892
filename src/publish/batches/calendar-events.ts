// Reads the events of a calendar in the iCalendar format (RFC 5545), without recurrence: publishers list each release.
import { localTime } from '../../domain/figures/local-time.js';
import { ImportError } from './importer.js';
import { CutShortError } from './json-tokens.js';
import { quoted } from './text.js';

export interface DatedEvent {
  readonly summary: string;
  /** The local day in the calendar's zone, `YYYY-MM-DD`. */
  readonly day: string;
  /** `HH:MM` there, or empty for a whole day. */
  readonly time: string;
  readonly isCancelled: boolean;
}

/**
 * @param timeZone IANA name of the publisher's zone, for times in UTC and times without a zone
 * @param aliases other names of that zone in the file
 * @throws ImportError for a text that is no calendar, or a time in another zone; CutShortError if it has no end
 */
export function calendarEvents(text: string, timeZone: string, aliases: readonly string[], file: string): DatedEvent[] {
  // A line that begins with a blank continues the one before.
  const lines = text
    .replace(/[\r\n]+[ \t]/g, '')
    .split(/[\r\n]+/)
    .map((line) => line.trim());
  if (!lines.includes('BEGIN:VCALENDAR')) throw new ImportError(`${file} is not a calendar (iCalendar)`);
  if (!lines.includes('END:VCALENDAR')) throw new CutShortError(`${file}: the calendar has no end`);
  const events: DatedEvent[] = [];
  let properties = new Map<string, Property>();
  for (const line of lines) {
    if (line === 'BEGIN:VEVENT') properties = new Map();
    else if (line === 'END:VEVENT') events.push(...eventOf(properties, timeZone, aliases, file));
    else {
      const [, name = '', parameters = '', value = ''] = /^([A-Z-]+)((?:;[^:]*)?):(.*)$/.exec(line) ?? [];
      properties.set(name, { parameters, value });
    }
  }
  return events;
}

interface Property {
  readonly parameters: string;
  readonly value: string;
}

function eventOf(
  properties: ReadonlyMap<string, Property>,
  timeZone: string,
  aliases: readonly string[],
  file: string,
): DatedEvent[] {
  const summary = unescaped(properties.get('SUMMARY')?.value ?? '');
  const { parameters = '', value = '' } = properties.get('DTSTART') ?? {};
  const isCancelled = properties.get('STATUS')?.value === 'CANCELLED';
  const [, year, month, date, hour, minute, utc] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value) ?? [];
  const zone = /;TZID="?([^";:]+)/.exec(parameters)?.[1] ?? timeZone;
  if (year === undefined || ![timeZone, ...aliases].includes(zone)) {
    throw new ImportError(`${file}: ${quoted(summary)} has a start that is not known: ${quoted(parameters + value)}`);
  }
  const day = `${year}-${month}-${date}`;
  if (hour === undefined) return [{ summary, day, time: '', isCancelled }];
  const shown = `${day}T${hour}:${minute}`;
  const local = utc === 'Z' ? localTime(Date.parse(`${shown}:00Z`), timeZone) : shown;
  return [{ summary, day: local.slice(0, 10), time: local.slice(11), isCancelled }];
}

const unescaped = (text: string): string => text.replace(/\\n/gi, ' ').replace(/\\(.)/g, '$1');
