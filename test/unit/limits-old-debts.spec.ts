import { Debts } from '../../src/limits/debts.js';
import { NONE_YET } from '../../src/limits/window-store.js';
import { DAY_MS } from '../../src/limits/window.js';
import { WrittenMarks } from '../../src/limits/written-marks.js';

describe('Debts that are old', () => {
  const asker = { subject: 'acc', budget: { perMinute: 5, perDay: 100_000 }, seed: NONE_YET };

  it('are running totals, one for each minute in which something was admitted', () => {
    const debts = new Debts(() => 0);
    [1_000, 59_000, 60_000, 300_000, 301_000].forEach((at, id) => debts.add(asker, { at, id }));
    expect(debts.handover('acc', 400_000)?.old).toEqual({
      day: 0,
      total: 5,
      stretches: [
        { until: 59_000, total: 2 },
        { until: 60_000, total: 3 },
        { until: 301_000, total: 5 },
      ],
    });
  });

  it('stay as they were handed over, whatever comes after', () => {
    const debts = new Debts(() => 0);
    debts.add(asker, { at: 1_000, id: 1 });
    const handed = debts.handover('acc', 100_000);
    debts.add(asker, { at: 100_000, id: 2 });
    expect(debts.handover('acc', 200_000)?.old?.total).toBe(2);
    expect(handed?.old).toEqual({ day: 0, total: 1, stretches: [{ until: 1_000, total: 1 }] });
    if (handed != null) debts.settle('acc', handed);
    expect(debts.handover('acc', 200_000)?.old?.total).toBe(2);
  });

  it('take no more room than a day has minutes, and start anew with the next', () => {
    const debts = new Debts((at) => Math.floor(at / DAY_MS));
    for (let at = 0; at < DAY_MS; at += 20_000) debts.add(asker, { at, id: at });
    expect(debts.handover('acc', DAY_MS - 1)?.old?.stretches.length).toBeLessThanOrEqual(1_440);
    debts.add(asker, { at: DAY_MS, id: DAY_MS });
    expect(debts.handover('acc', DAY_MS + 60_001)?.old).toEqual({
      day: 1,
      total: 1,
      stretches: [{ until: DAY_MS, total: 1 }],
    });
  });
});

describe('WrittenMarks of old requests', () => {
  it('say for a day when one was written, never too early and at most a minute late', () => {
    const marks = new WrittenMarks();
    for (let at = 0; at < 1.5 * DAY_MS; at += 500) marks.add(at, at + 10);
    const late = (at: number): number => (marks.ofOld(at) ?? Infinity) - at;
    for (let at = 0.5 * DAY_MS + 60_000; at < 1.5 * DAY_MS - 500; at += 77_777) {
      expect(late(at)).toBeGreaterThan(10);
      expect(late(at)).toBeLessThanOrEqual(60_010);
    }
    expect(JSON.stringify(marks).length).toBeLessThan(120_000);
  });

  it('say when what waited was written, and that what waits still is not', () => {
    const marks = new WrittenMarks();
    marks.add(1_000, 1_010);
    expect(marks.ofOld(1_000)).toBeNull();
    marks.add(900_000, 900_010);
    expect([999, 1_000, 899_999, 900_000].map((at) => marks.ofOld(at))).toEqual([
      1_010,
      900_010,
      900_010,
      null,
    ]);
    marks.add(900_500, 900_600);
    expect(marks.ofOld(900_000)).toBe(900_600);
  });
});
