import fc from 'fast-check';
import { clusterOf, type Revision } from '../../src/publish/read-models/signals/revision-cluster.rule.js';
import { persistentMoveOf } from '../../src/publish/read-models/signals/persistent-move.rule.js';
import { signalId } from '../../src/publish/read-models/signals/signal.js';
import { LONGEST_REQUIRED, requiredLengthOf, streaksOf } from '../../src/publish/read-models/signals/streak.rule.js';
import { turningPointOf, type Economy } from '../../src/publish/read-models/signals/turning-point.rule.js';

const figures = (values: readonly (number | null)[], from = 2000) =>
  values.flatMap((value, at) => (value === null ? [] : [{ period: String(from + at), value: String(value) }]));
const released = (...years: readonly number[]) =>
  years.map((year) => ({ period: String(year), day: `${String(year + 1)}-02-01` }));

/** Seven figures, alternately up and down: six moves, none of which continued. */
const RESTLESS = [1, 2, 1, 2, 1, 2, 9];

describe('The streak rule', () => {
  it('finds the worked example of the documentation', () => {
    const found = streaksOf(figures([...RESTLESS, 8, 7, 6, 5]), released(2010));
    expect(found).toEqual([
      {
        direction: 'down',
        first: { period: '2006', value: '9' },
        last: { period: '2010', value: '5' },
        moves: 4,
        stage: 'emerging',
        firstSeen: '2011-02-01',
        lastSeen: '2011-02-01',
      },
    ]);
  });

  it('requires a longer streak of a series that mostly keeps its direction', () => {
    expect(requiredLengthOf(0, 5)).toBe(4);
    expect(requiredLengthOf(5, 10)).toBe(4);
    expect(requiredLengthOf(8, 10)).toBe(10);
    expect(requiredLengthOf(50, 50)).toBe(LONGEST_REQUIRED + 1);
  });

  it('finds none in a series that nearly always keeps its direction', () => {
    const population = Array.from({ length: 36 }, (_, index) => (index === 20 ? 18 : index));
    expect(streaksOf(figures(population), released(2035))).toEqual([]);
  });

  it.each([
    ['three moves', [...RESTLESS, 8, 7, 6], 2009],
    ['a standstill within', [...RESTLESS, 8, 7, 7, 6, 5, 4], 2012],
    ['a missing period within', [...RESTLESS, 8, 7, null, 6, 5, 4], 2012],
    ['too short a past', [1, 2, 1, 2, 9, 8, 7, 6, 5], 2008],
  ])('finds none in %s', (_, values, year) => {
    expect(streaksOf(figures(values), released(year))).toEqual([]);
  });

  it('finds none that no publication completed', () => {
    expect(streaksOf(figures([...RESTLESS, 8, 7, 6, 5]), [])).toEqual([]);
    expect(streaksOf(figures([...RESTLESS, 8, 7, 6, 5]), released(2009))).toEqual([]);
  });

  it('marks the longer one as active and the broken one as closed', () => {
    const stage = (...values: number[]) =>
      streaksOf(figures([...RESTLESS, 8, 7, 6, 5, ...values]), released(2010, 2011)).map((one) => one.stage);
    expect([stage(), stage(4), stage(4, 6), stage(5)]).toEqual([['emerging'], ['active'], ['closed'], ['closed']]);
  });

  it('finds the mirror image of a series in the other direction', () => {
    const values = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 12, maxLength: 30 });
    fc.assert(
      fc.property(values, (given) => {
        const all = released(...given.map((_, at) => 2000 + at));
        const told = (list: readonly number[]) =>
          streaksOf(figures(list), all).map((one) => [one.first.period, one.moves, one.stage]);
        expect(told(given.map((value) => -value))).toEqual(told(given));
      }),
    );
  });
});

const economy = (region: string, earlier: number, previous: number, actual: number, day = '2026-02-01'): Economy => ({
  region,
  day,
  earlier: String(earlier),
  previous: String(previous),
  actual: String(actual),
  followed: false,
});
const turned = (count: number, day?: string) =>
  Array.from({ length: count }, (_, at) => economy(`A${String(at)}`, 1, 2, 1, day));
const steady = (count: number) => Array.from({ length: count }, (_, at) => economy(`B${String(at)}`, 1, 2, 3));
const back = (count: number) => Array.from({ length: count }, (_, at) => economy(`C${String(at)}`, 2, 1, 2));

describe('The turning-point rule', () => {
  it('finds the worked example of the documentation', () => {
    const found = turningPointOf([...turned(6), ...steady(7), ...back(2)], 20);
    expect(found).toMatchObject({ direction: 'down', published: 15, stage: 'active' });
    expect(found?.turned.map(({ region }) => region)).toEqual(['A0', 'A1', 'A2', 'A3', 'A4', 'A5']);
  });

  it.each([
    ['four economies', [...turned(4)]],
    ['less than two in five', [...turned(6), ...steady(10)]],
    ['less than three times those that turned back', [...turned(5), ...back(2)]],
    ['figures that have not moved', turned(9).map((one) => ({ ...one, earlier: one.previous }))],
    ['figures that are not known', turned(9).map((one) => ({ ...one, earlier: null }))],
  ])('finds none in %s', (_, economies) => {
    expect(turningPointOf(economies, 20)).toBeNull();
  });

  it('marks one as emerging until half of the economies have published, and as closed once half have published the next period', () => {
    expect(turningPointOf(turned(5), 10)?.stage).toBe('active');
    expect(turningPointOf(turned(5), 11)?.stage).toBe('emerging');
    const gone = (count: number) => turned(6).map((one, at) => ({ ...one, followed: at < count }));
    expect([turningPointOf(gone(2), 6)?.stage, turningPointOf(gone(3), 6)?.stage]).toEqual(['active', 'closed']);
  });

  it('dates one by the day whose publications together complete it', () => {
    const economies = [
      ...turned(4, '2026-01-01'),
      economy('D', 1, 2, 1, '2026-02-01'),
      economy('E', 1, 2, 1, '2026-03-01'),
    ];
    expect(turningPointOf(economies, 6)).toMatchObject({ firstSeen: '2026-02-01', lastSeen: '2026-03-01' });
    expect(turningPointOf([...economies].reverse(), 6)).toEqual(turningPointOf(economies, 6));
  });
});

const revision = (region: string, period: string, from: number, to: number): Revision => ({
  region,
  period,
  previous: String(from),
  actual: String(to),
});

describe('The revision-cluster rule', () => {
  const raised = (count: number) => Array.from({ length: count }, (_, at) => revision(`A${String(at)}`, '2024', 1, 2));
  const lowered = (count: number) => Array.from({ length: count }, (_, at) => revision(`B${String(at)}`, '2024', 2, 1));

  it('finds the worked example of the documentation', () => {
    const found = clusterOf([...raised(6), ...lowered(2)], '2026-07-01');
    expect(found).toMatchObject({ direction: 'up', voting: 8 });
    expect(found?.revised).toHaveLength(6);
  });

  it.each([
    ['four economies', raised(4)],
    ['less than three in four', [...raised(5), ...lowered(2)]],
    ['periods of long ago', raised(9).map((one) => ({ ...one, period: '2022' }))],
  ])('finds none in %s', (_, revisions) => {
    expect(clusterOf(revisions, '2026-07-01')).toBeNull();
  });

  it('gives each economy one vote, by its newest revised period', () => {
    const older = raised(5).map((one) => ({ ...one, period: '2023', previous: '2', actual: '1' }));
    expect(clusterOf([...older, ...raised(5)], '2026-07-01')).toMatchObject({ direction: 'up', voting: 5 });
    expect(clusterOf([...raised(5), ...older], '2026-07-01')).toMatchObject({ direction: 'up', voting: 5 });
  });
});

describe('The persistent-move rule', () => {
  const move = { period: '2026-03-02', previous: '100', actual: '90' };
  const after = (...values: readonly number[]) =>
    values.map((value, at) => ({ period: `2026-03-${String(at + 3).padStart(2, '0')}`, value: String(value) }));
  const times = (count: number, value: number) => Array<number>(count).fill(value);

  it('finds the worked example of the documentation', () => {
    const found = persistentMoveOf(move, after(91, 94, 88, 92, 94.9));
    expect(found).toMatchObject({ direction: 'down', stage: 'emerging', broken: null });
    expect(found?.held).toHaveLength(5);
  });

  it('finds none that ends before five observations, or exactly at the half', () => {
    expect(persistentMoveOf(move, after(...times(4, 90)))).toBeNull();
    expect(persistentMoveOf(move, after(...times(4, 90), 96, ...times(9, 90)))).toBeNull();
    expect(persistentMoveOf(move, after(...times(4, 90), 95, ...times(9, 90)))).toBeNull();
    expect(persistentMoveOf({ ...move, actual: '100' }, after(...times(9, 90)))).toBeNull();
  });

  it.each([
    ['emerging', times(9, 90)],
    ['active', times(10, 90)],
    ['active', times(19, 90)],
    ['closed', times(20, 90)],
    ['closed', [...times(20, 90), 99]],
    ['closed', [...times(5, 90), 99]],
  ])('marks it as %s', (stage, values) => {
    expect(persistentMoveOf(move, after(...values))?.stage).toBe(stage);
  });

  it('watches twenty observations, and names the one that broke it', () => {
    expect(persistentMoveOf(move, after(...times(25, 90)))?.held).toHaveLength(20);
    expect(persistentMoveOf(move, after(...times(6, 90), 99))?.broken).toEqual({ period: '2026-03-09', value: '99' });
  });

  it('holds for prices below zero', () => {
    const fall = { period: '2020-04-20', previous: '18.31', actual: '-36.98' };
    expect(persistentMoveOf(fall, after(...times(5, -10)))?.direction).toBe('down');
    expect(persistentMoveOf(fall, after(...times(5, -9)))).toBeNull();
  });
});

describe('The id of a signal', () => {
  const identity = { rule: 'streak', subject: 'gdp-growth@JP', starts: '2020' } as const;

  it('is the same for the same signal, in every database, and differs with each part', () => {
    expect(signalId(identity)).toBe(signalId({ ...identity }));
    expect(signalId(identity)).toMatch(/^sig_[A-Za-z0-9_-]{27}$/);
    for (const other of [{ rule: 'turn' as const }, { subject: 'gdp@JP' }, { starts: '2021' }]) {
      expect(signalId({ ...identity, ...other })).not.toBe(signalId(identity));
    }
  });
});
