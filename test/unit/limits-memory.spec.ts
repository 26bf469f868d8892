import { Debts } from '../../src/limits/debts.js';
import { Generations } from '../../src/limits/generations.js';
import { SubjectWindows } from '../../src/limits/subject-windows.js';
import { NONE_YET } from '../../src/limits/window-store.js';
import { WrittenMarks } from '../../src/limits/written-marks.js';

describe('Generations', () => {
  it('keeps what is used and forgets what idles', () => {
    const map = new Generations<object>(100);
    const used = map.take('used', 0, () => ({}));
    const idle = map.take('idle', 0, () => ({}));
    for (let now = 50; now <= 400; now += 50) expect(map.take('used', now, () => ({}))).toBe(used);
    expect(map.size).toBe(1);
    expect(map.take('idle', 400, () => ({}))).not.toBe(idle);
  });

  it('keeps an entry for as long as promised', () => {
    const map = new Generations<object>(100);
    map.take('first', 0, () => ({}));
    const kept = map.take('kept', 99, () => ({}));
    map.take('turns', 100, () => ({}));
    map.take('other', 198, () => ({}));
    expect(map.take('kept', 199, () => ({}))).toBe(kept);
  });

  it('never holds more than twice its bound', () => {
    const map = new Generations<object>(1_000, 10);
    for (let count = 0; count < 1_000; count += 1) map.take(String(count), 0, () => ({}));
    expect(map.size).toBeLessThanOrEqual(20);
  });
});

describe('Debts', () => {
  const budget = { perMinute: 5, perDay: 100 };
  const asker = (subject: string) => ({ subject, budget, seed: NONE_YET });
  const dayOf = (at: number) => Math.floor(at / 86_400_000);

  it('names the young one by one and only sums up the old', () => {
    const debts = new Debts(dayOf);
    debts.add(asker('acc'), { at: 1_000, id: 1 });
    debts.add(asker('acc'), { at: 2_000, id: 2 });
    debts.add(asker('acc'), { at: 62_000, id: 3 });
    expect(debts.handover('acc', 62_000)).toEqual({
      name: 1,
      young: [
        { at: 2_000, id: 2 },
        { at: 62_000, id: 3 },
      ],
      old: { day: 0, total: 1, stretches: [{ until: 1_000, total: 1 }] },
    });
  });

  it('keeps what was added while the rest was on its way', () => {
    const debts = new Debts(dayOf);
    debts.add(asker('acc'), { at: 1_000, id: 1 });
    const handed = debts.handover('acc', 1_000);
    debts.add(asker('acc'), { at: 1_500, id: 2 });
    if (handed !== null) debts.settle('acc', handed);
    expect(debts.handover('acc', 1_600)?.young).toEqual([{ at: 1_500, id: 2 }]);
    debts.drop('acc', 2);
    expect(debts.handover('acc', 1_600)).toBeNull();
  });

  it('forgets a day that is over', () => {
    const debts = new Debts(dayOf);
    debts.add(asker('gone'), { at: 1_000, id: 1 });
    debts.add(asker('acc'), { at: 86_400_000, id: 2 });
    expect(debts.askers.map(({ subject }) => subject)).toEqual(['acc']);
  });
});

describe('WrittenMarks', () => {
  it('says when what was admitted came into the database', () => {
    const marks = new WrittenMarks();
    expect(marks.of(100)).toBeNull();
    marks.add(100, 130);
    marks.add(600, 605);
    expect([99, 100, 599, 600].map((at) => marks.of(at))).toEqual([130, 605, 605, null]);
  });

  it('forgets what no minute holds any more', () => {
    const marks = new WrittenMarks();
    marks.add(100, 130);
    marks.add(70_000, 70_010);
    expect(marks.of(50)).toBe(70_010);
  });
});

describe('SubjectWindows', () => {
  it('holds no more than a minute, also where nobody asks what it holds', () => {
    const windows = new SubjectWindows();
    for (let at = 0; at < 600_000; at += 100) windows.countMinute({ at, id: at });
    expect(windows.hits(599_900).length).toBeLessThanOrEqual(601);
    const room = JSON.stringify(windows).length;
    for (let at = 600_000; at < 1_200_000; at += 100) windows.countMinute({ at, id: at });
    expect(JSON.stringify(windows).length).toBeLessThan(room * 2);
  });
});
