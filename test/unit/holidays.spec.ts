import { holidaysUntil, isHoliday } from '../../src/domain/figures/holidays.js';

// The days of 2021 to 2026 on which nothing was printed, by the publishers' files.
const TARGET_2026 = ['01-01', '04-03', '04-06', '05-01', '12-25', '12-26'].map((day) => `2026-${day}`);
const FEDERAL_2023 = '01-02 01-16 02-20 05-29 06-19 07-04 09-04 10-09 11-11 11-23 12-25';

describe('A calendar of holidays', () => {
  it('has the days of a year that its rules name, with Easter', () => {
    expect(holidaysUntil(2026)['target']?.filter((day) => day.startsWith('2026'))).toEqual(TARGET_2026);
  });

  it('has the Monday after a Sunday, and the third or the last Monday of a month', () => {
    const found = holidaysUntil(2023)['us-federal']?.filter((day) => day.startsWith('2023'));
    expect(found).toEqual(FEDERAL_2023.split(' ').map((day) => `2023-${day}`));
  });

  it('has no holiday before its first year', () => {
    expect(isHoliday('target', '1999-04-02')).toBe(false);
    expect(isHoliday('us-federal', '2021-06-19')).toBe(false);
    expect(isHoliday('us-federal', '2022-06-20')).toBe(true);
  });

  it.each([null, undefined, 'mars'])('named %s has none', (calendar) => {
    expect(isHoliday(calendar, '2026-01-01')).toBe(false);
  });
});
