import fc from 'fast-check';
import timetables from '../../data/catalogue/timetables.json' with { type: 'json' };
import { lastDayOf, nextPeriod, periodOn, shiftedDay } from '../../src/domain/figures/periods.js';
import { AGELESS, ageOf, expectedAfter, nextRelease, type Timetable } from '../../src/domain/figures/timetable.js';
import { readCatalogue, timetableOf } from '../../src/publish/catalogue/catalogue.js';
import { timetableEntry } from '../../src/publish/catalogue/catalogue.schema.js';
import { IMPORTERS } from '../../src/publish/publishers/importers.js';

const entry = (id: string): Timetable => {
  const found = readCatalogue().timetables.find((one) => one.id === id);
  if (found === undefined) throw new Error(`No timetable ${id}`);
  return found;
};

describe('A timetable of the catalogue', () => {
  it('exists for every indicator and instrument', () => {
    const catalogue = readCatalogue();
    const entries = [...catalogue.indicators, ...catalogue.instruments];
    expect(entries.map((one) => timetableOf(catalogue, one))).toHaveLength(entries.length);
  });

  it('exists for every publisher that is imported', () => {
    const providers = new Set(timetables.map(({ provider }) => provider));
    const lacking = Object.values(IMPORTERS).filter(({ publisher, providers: read = [publisher] }) =>
      read.every((provider) => !providers.has(provider)),
    );
    expect(lacking.map(({ publisher }) => publisher)).toEqual([]);
  });

  it('is used, or belongs to a register or a schedule', () => {
    const { indicators, instruments } = readCatalogue();
    const used = new Set([...indicators, ...instruments].map(({ timetable }) => timetable));
    const unused = timetables.filter(({ id }) => !used.has(id));
    expect(unused.map(({ id }) => id)).toEqual([
      'gleif-golden-copy',
      'sec-registrants',
      'bls-schedule',
      'bea-schedule',
      'fomc-schedule',
    ]);
  });

  it.each([
    ['a zone that does not exist', { timeZone: 'Europe/Atlantis' }],
    ['a time that a change of the clock may skip', { time: '02:30' }],
    ['a weekday beyond Sunday', { releases: { on: 'weekday', weekday: 8 } }],
    ['no months', { releases: { on: 'month-day', months: [], day: 1 } }],
    ['a negative grace', { graceDays: -1 }],
  ])('is refused with %s', (_what, fault) => {
    const [first] = timetables;
    expect(timetableEntry.safeParse(first).success).toBe(true);
    expect(timetableEntry.safeParse({ ...first, ...fault }).success).toBe(false);
  });

  it('belongs to the provider of the entry that names it', () => {
    const wrong = { provider: 'bls', timetable: 'ecb-reference-rates' };
    expect(() => timetableOf(readCatalogue(), wrong)).toThrow('No timetable ecb-reference-rates of bls');
  });
});

describe('The next figure', () => {
  it.each([
    // Central European time, and summer time from 29 March 2026.
    ['ecb-reference-rates', '2026-03-26', '2026-03-27T15:00:00.000Z'],
    ['ecb-reference-rates', '2026-03-27', '2026-03-30T14:00:00.000Z'],
    ['ecb-reference-rates', '2026-12-31', '2027-01-04T15:00:00.000Z'],
    ['ecb-reference-rates', '2026-04-02', '2026-04-07T14:00:00.000Z'],
    ['treasury-par-yields', '2026-11-25', '2026-11-27T23:00:00.000Z'],
    ['treasury-par-yields', '2026-10-30', '2026-11-02T23:00:00.000Z'],
    ['eia-spot-prices', '2026-08-18', '2026-08-26T17:00:00.000Z'],
    ['eia-spot-prices', '2026-W33', '2026-08-26T17:00:00.000Z'],
    ['eia-monthly', '2026-11', '2027-01-06T18:00:00.000Z'],
    ['bls-cpi', '2026-05', '2026-07-15T12:30:00.000Z'],
    ['bls-cpi', '2026-11', '2027-01-15T13:30:00.000Z'],
    ['bea-gdp', '2025-Q4', '2026-04-30T12:30:00.000Z'],
    ['pink-sheet', '2026-06', '2026-08-05T20:00:00.000Z'],
    ['wdi-annual', '2024', '2026-07-15T16:00:00.000Z'],
    ['wdi-annual', '2025', '2027-07-15T16:00:00.000Z'],
    ['estat-wages', '2024', '2026-03-31T05:00:00.000Z'],
    ['fomc-decisions', '2025-10-30', '2025-12-19T19:00:00.000Z'],
  ])('of %s after %s is expected at %s', (id, newest, instant) => {
    expect(expectedAfter(entry(id), newest)).toBe(instant);
  });

  it('is expected on the last day of a month that is too short', () => {
    const releases = { on: 'month-day', months: [1, 2], day: 31 } as const;
    const timetable = { timeZone: 'UTC', time: '12:00', releases, delayDays: 0, graceDays: 0 };
    expect(nextRelease(timetable, '2027-02-01')).toBe('2027-02-28T12:00:00.000Z');
    expect(nextRelease(timetable, '2027-03-01')).toBe('2028-01-31T12:00:00.000Z');
  });
});

describe('A figure', () => {
  const ecb = entry('ecb-reference-rates');

  it('is stale on the day after the grace, not before', () => {
    // Expected on Monday 16 November.
    expect(ageOf(ecb, '2026-11-13', '2026-11-22').stale).toBe(false);
    expect(ageOf(ecb, '2026-11-13', '2026-11-23').stale).toBe(true);
  });

  it.each([
    ['Easter', '2026-04-02', '2026-04-08'],
    ['Christmas', '2025-12-24', '2025-12-30'],
  ])('is not stale over the holidays of %s', (_name, newest, today) => {
    expect(ageOf(ecb, newest, today).stale).toBe(false);
  });

  it('has no age without a value', () => {
    expect(ageOf(ecb, null, '2026-11-22')).toBe(AGELESS);
  });

  it('waits for no figure of a series that its publisher has not continued for more than five years', () => {
    expect(ageOf(ecb, '2021-11-12', '2026-11-22').stale).toBe(true);
    expect(ageOf(ecb, '2020-11-13', '2026-11-22')).toBe(AGELESS);
  });
});

const days = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const periods = fc
  .record({ day: days, frequency: fc.constantFrom('A', 'Q', 'M', 'W', 'D' as const) })
  .map(({ day, frequency }) => periodOn(day, frequency));
const releases = fc.oneof(
  fc.constant({ on: 'day' } as const),
  fc.constant({ on: 'working-day' } as const),
  fc.record({ on: fc.constant('weekday' as const), weekday: fc.integer({ min: 1, max: 7 }) }),
  fc.record({
    on: fc.constant('month-day' as const),
    months: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1 }),
    day: fc.integer({ min: 1, max: 31 }),
  }),
);
const anyTimetable: fc.Arbitrary<Timetable> = fc.record({
  timeZone: fc.constantFrom('UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'Pacific/Auckland'),
  time: fc.constantFrom('04:00', '08:30', '16:00', '23:59'),
  releases,
  delayDays: fc.integer({ min: 0, max: 800 }),
  graceDays: fc.integer({ min: 0, max: 400 }),
});

describe('The expected instant', () => {
  it('lies after the end of the newest period', () => {
    fc.assert(
      fc.property(anyTimetable, periods, (timetable, newest) => {
        expect(Date.parse(expectedAfter(timetable, newest))).toBeGreaterThan(Date.parse(lastDayOf(newest)));
      }),
    );
  });

  it('never falls when a newer period arrives', () => {
    fc.assert(
      fc.property(anyTimetable, periods, (timetable, newest) => {
        expect(expectedAfter(timetable, nextPeriod(newest)) >= expectedAfter(timetable, newest)).toBe(true);
      }),
    );
  });

  it('is that of a release of the timetable', () => {
    fc.assert(
      fc.property(anyTimetable, days, (timetable, day) => {
        const first = nextRelease(timetable, day);
        const local = first.slice(0, 10);
        const around = [-1, 0, 1].map((step) => nextRelease(timetable, shiftedDay(local, step)));
        expect(around).toContain(first);
      }),
    );
  });

  it('decides staleness once: a stale figure stays stale until a newer one arrives', () => {
    fc.assert(
      fc.property(anyTimetable, periods, days, (timetable, newest, today) => {
        const [now, later] = [today, shiftedDay(today, 1)].map((day) => ageOf(timetable, newest, day).stale);
        expect(now && !later).toBe(false);
      }),
    );
  });
});
