import fc from 'fast-check';
import type { Condition } from '../../src/domain/figures/condition.js';
import {
  evaluateAlert,
  replayAlert,
  type FigureVintage,
  type LastEvaluation,
} from '../../src/domain/figures/alert-evaluation.js';

const ABOVE: Condition = { metric: 'value_above', threshold: '3' };
const figures = (values: readonly string[], from = 2020) =>
  values.map((value, index) => ({ period: String(from + index), value }));
const last = (evaluatedPeriod: string | null, met: boolean | null): LastEvaluation => ({ evaluatedPeriod, met });
const crossed = (condition: Condition, from: LastEvaluation, values: readonly string[]) =>
  evaluateAlert(condition, from, figures(values)).crossings.map(({ figure }) => figure.period);

describe('An alert on a value', () => {
  it('fires once when its condition turns true, and again only after it was false', () => {
    const values = ['2.9', '3.0', '3.1', '3.2', '3.0', '3.3'];
    expect(crossed(ABOVE, last('2020', false), values)).toEqual(['2022', '2025']);
  });

  it('does not fire for a condition that held when it was created', () => {
    expect(crossed(ABOVE, last('2020', true), ['3.1', '3.2', '3.3'])).toEqual([]);
    expect(crossed(ABOVE, last('2020', true), ['3.1', '2.2', '3.3'])).toEqual(['2022']);
  });

  it('takes its first figure as its state', () => {
    expect(evaluateAlert(ABOVE, last(null, null), figures(['3.5']))).toEqual({
      last: { evaluatedPeriod: '2020', met: true },
      crossings: [],
    });
  });

  it('does not evaluate a restated figure again, and still finds every crossing', () => {
    // 2021 was below when it was evaluated, and a revision has raised it since: 2022 is the first figure published
    // above.
    expect(crossed(ABOVE, last('2021', false), ['2.0', '3.5', '3.6'])).toEqual(['2022']);
    expect(crossed(ABOVE, last('2022', false), ['2.0', '2.5', '3.6'])).toEqual([]);
  });

  it('is strict: at the threshold nothing is above or below', () => {
    expect(crossed(ABOVE, last('2020', false), ['1', '3'])).toEqual([]);
    const below: Condition = { metric: 'value_below', threshold: '-0.5' };
    expect(crossed(below, last('2020', false), ['1', '-0.50', '-0.51'])).toEqual(['2022']);
  });
});

describe('An alert on a move', () => {
  const moves: Condition = { metric: 'move_percent', threshold: '5' };

  it('fires at its threshold, up or down, compared with the previous figure', () => {
    expect(crossed(moves, last('2020', false), ['100', '105', '105', '99.75'])).toEqual(['2021', '2023']);
    expect(crossed(moves, last('2020', false), ['100', '104.9'])).toEqual([]);
  });

  it('stays the same move while every figure moves as far', () => {
    expect(crossed(moves, last('2020', false), ['100', '110', '121', '122', '140'])).toEqual(['2021', '2024']);
  });

  it('compares with the period immediately before, and in a daily series with the last printed one', () => {
    const gap = [
      { period: '2020', value: '100' },
      { period: '2022', value: '200' },
    ];
    expect(evaluateAlert(moves, last('2020', false), gap).crossings).toEqual([]);
    const weekend = [
      { period: '2026-07-03', value: '100' },
      { period: '2026-07-06', value: '106' },
    ];
    expect(evaluateAlert(moves, last('2026-07-03', false), weekend).crossings).toEqual([
      { figure: weekend[1], previous: weekend[0] },
    ]);
  });

  it('has no percentage of a figure that is not above zero', () => {
    expect(crossed(moves, last('2020', false), ['0', '10'])).toEqual([]);
    expect(crossed(moves, last('2020', false), ['-36.98', '10'])).toEqual([]);
  });
});

describe('Figures in many deliveries', () => {
  const value = fc.integer({ min: -400, max: 800 }).map((hundredths) => (hundredths / 100).toFixed(2));
  const condition = fc.record({
    metric: fc.constantFrom('value_above', 'value_below', 'move_percent'),
    threshold: fc.integer({ min: 1, max: 500 }).map((hundredths) => (hundredths / 100).toFixed(2)),
  });

  it('cause the same events as in one', () => {
    fc.assert(
      fc.property(condition, fc.array(value, { minLength: 1, maxLength: 30 }), fc.nat(30), (wanted, values, cut) => {
        const rule = wanted as Condition;
        const all = figures(values, 1960);
        const first = evaluateAlert(rule, last(null, null), all.slice(0, cut));
        const second = evaluateAlert(rule, first.last, all);
        const whole = evaluateAlert(rule, last(null, null), all);
        expect([...first.crossings, ...second.crossings]).toEqual(whole.crossings);
        expect(second.last).toEqual(whole.last);
      }),
    );
  });

  it('never cause two events in a row without a false condition between them', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 40 }), (values) => {
        const all = figures(values, 1960);
        const { crossings } = evaluateAlert(ABOVE, last(null, null), all);
        for (const [index, { figure }] of crossings.entries()) {
          const from = index === 0 ? '' : (crossings[index - 1]?.figure.period ?? '');
          const between = all.filter(({ period }) => period >= from && period < figure.period);
          expect(between.some((one) => Number(one.value) <= 3)).toBe(true);
        }
      }),
    );
  });
});

describe('The replay of an alert', () => {
  const vintage = (period: string, value: string, from: string, until: string | null = null): FigureVintage => ({
    period,
    value,
    knownFrom: from,
    knownUntil: until,
  });
  const replayed = (known: readonly FigureVintage[]) =>
    replayAlert(ABOVE, known).map(({ figure, day }) => [figure.period, figure.value, day]);

  it('fires with the value that was known first, on the day of its vintage', () => {
    const known = [
      vintage('2024', '2.0', '2025-03-01'),
      vintage('2025', '3.5', '2026-03-01', '2026-06-01'),
      vintage('2025', '2.9', '2026-06-01'),
    ];
    expect(replayed(known)).toEqual([['2025', '3.5', '2026-03-01']]);
  });

  it('does not fire when a figure is restated beyond the threshold', () => {
    const known = [
      vintage('2024', '2.0', '2025-03-01'),
      vintage('2025', '2.9', '2026-03-01', '2026-06-01'),
      vintage('2025', '3.5', '2026-06-01'),
    ];
    expect(replayed(known)).toEqual([]);
  });

  it('dates the crossings of the first vintage, which contains the past, by the end of their periods', () => {
    const past = ['2.0', '3.5', '2.0', '3.1'].map((value, at) => vintage(`202${at}`, value, '2026-03-01'));
    expect(replayed(past)).toEqual([
      ['2021', '3.5', '2021-12-31'],
      ['2023', '3.1', '2023-12-31'],
    ]);
  });
});
