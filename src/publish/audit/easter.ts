import { shiftedDay } from '../../domain/figures/periods.js';

/** Since this year TARGET, and with it the ECB, is closed at Easter; in 1999 it was open. */
const FIRST_YEAR = 2000;

/** Good Fridays and Easter Mondays up to the end of a year, `YYYY-MM-DD`. */
export function easterHolidays(lastYear: number): string[] {
  const years = Array.from(
    { length: Math.max(0, lastYear - FIRST_YEAR + 1) },
    (_, index) => FIRST_YEAR + index,
  );
  return years.map(easterSunday).flatMap((sunday) => [shiftedDay(sunday, -2), shiftedDay(sunday, 1)]);
}

/** The Gregorian computus, after Meeus, Astronomical Algorithms, chapter 8. */
function easterSunday(year: number): string {
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const golden = year % 19;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - epact - (inCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const days = epact + weekday - 7 * late;
  return shiftedDay(`${year}-03-22`, days);
}
