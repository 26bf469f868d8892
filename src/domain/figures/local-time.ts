const MILLISECONDS_A_DAY = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Null if the runtime knows no zone of that name. */
function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  try {
    const digits = '2-digit';
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: digits,
      day: digits,
      hour: digits,
      minute: digits,
    });
    formats.set(timeZone, format);
    return format;
  } catch {
    return null;
  }
}

export const isTimeZone = (name: string): boolean =>
  /^[A-Za-z]+(\/[A-Za-z_+-]+)*$/.test(name) && formatOf(name) !== null;

/** The local time of an instant in the zone, `YYYY-MM-DDTHH:MM`. */
export function localTime(instant: number, timeZone: string): string {
  const format = formatOf(timeZone);
  if (format === null) throw new RangeError(`"${timeZone}" is not a time zone`);
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  const at = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return `${at('year')}-${at('month')}-${at('day')}T${at('hour')}:${at('minute')}`;
}

/**
 * The instant of a local day (`YYYY-MM-DD`) and time (`HH:MM`), RFC 3339 in UTC. Null if the clock skips that time; the
 * first instant if the clock shows it twice.
 */
export function instantOf(day: string, time: string, timeZone: string): string | null {
  const shown = `${day}T${time}`;
  const asUtc = Date.parse(`${shown}:00Z`);
  const offsets = [asUtc - MILLISECONDS_A_DAY, asUtc + MILLISECONDS_A_DAY].map(
    (near) => Date.parse(`${localTime(near, timeZone)}:00Z`) - near,
  );
  const instants = offsets
    .map((offset) => asUtc - offset)
    .filter((instant) => localTime(instant, timeZone) === shown)
    .sort((a, b) => a - b);
  const [first] = instants;
  return first === undefined ? null : new Date(first).toISOString();
}
