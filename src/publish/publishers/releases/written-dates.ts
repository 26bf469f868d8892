// Dates as the pages of American offices write them: `December 10`, `Dec. 10, 2026`, `08:30 AM`.
import { isDay } from '../../../domain/figures/periods.js';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `01` to `12`; null for another word. */
export function monthOf(word: string): string | null {
  const at = /^[A-Z][a-z]{2,8}\.?$/.test(word) ? MONTHS.indexOf(word.slice(0, 3).toLowerCase()) : -1;
  return at < 0 ? null : String(at + 1).padStart(2, '0');
}

/** `YYYY-MM-DD`; null if there is no such day. */
export function dayIn(year: string, month: string, day: string): string | null {
  const text = `${year}-${monthOf(month) ?? ''}-${day.padStart(2, '0')}`;
  return isDay(text) ? text : null;
}

/** `HH:MM` of `08:30 AM`; null for another text. */
export function clockTime(text: string): string | null {
  const [, hour = '', minute = '', half = ''] = /^(\d{1,2}):([0-5]\d) ?([AP])\.?M\.?$/i.exec(text) ?? [];
  if (hour === '' || Number(hour) < 1 || Number(hour) > 12) return null;
  const of24 = (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
  return `${String(of24).padStart(2, '0')}:${minute}`;
}
