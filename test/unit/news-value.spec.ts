import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCatalogue } from '../../src/publish/catalogue/catalogue.js';
import { importanceOfDecision, ordinaryStepOf, weigh } from '../../src/publish/derive/importance.js';
import { importanceOfMove } from '../../src/publish/derive/moves/moves.rule.js';

interface SeriesItem {
  readonly kind: 'release' | 'revision' | 'decision';
  readonly indicator: string;
  readonly region: string;
  readonly period: string;
  readonly vintage: string;
  readonly previous: string | null;
  readonly actual: string;
  /** The figures known on the vintage day, as `period value, …`. */
  readonly known: string;
}

interface MoveItem {
  readonly kind: 'move';
  readonly instrument: string;
  /** `null` where the rule of moves no longer derives it. */
  readonly ratio: number | null;
}

type Item = (SeriesItem | MoveItem) & { readonly number: number; readonly headline: string };

interface Sample {
  /** Numbers of the items, the most important first. */
  readonly readings: readonly string[];
  readonly items: readonly Item[];
}

const { indicators, regions, instruments } = readCatalogue();

const sampleOf = (name: string): Sample =>
  JSON.parse(readFileSync(join(__dirname, `../fixtures/news/${name}-hundred.json`), 'utf8')) as Sample;

function importanceOfItem(item: Item): number | null {
  if (item.kind === 'move') {
    const { attention } = entryOf(instruments, ({ key }) => key === item.instrument);
    return item.ratio === null ? null : importanceOfMove({ ratio: item.ratio }, attention);
  }
  const { kind, period, actual, previous, vintage } = item;
  const { attention, unit } = entryOf(indicators, ({ slug }) => slug === item.indicator);
  const { weight, kind: area } = entryOf(regions, ({ code }) => code === item.region);
  const ranges = item.known.split(', ').map((figure) => {
    const [known = '', value = ''] = figure.split(' ');
    return { period: known, value, from: '', to: null };
  });
  const watched = { attention, regionWeight: weight, region: item.region, aggregate: area === 'aggregate', unit };
  if (kind === 'decision') {
    return importanceOfDecision(Number(actual) - Number(previous), ordinaryStepOf(ranges, vintage, period), watched);
  }
  const before = { period, basis: 'vintage', value: previous, missing: null, knownSince: null } as const;
  return weigh({ kind, period, actual, previous: before }, ranges, vintage, watched);
}

function entryOf<Entry>(entries: readonly Entry[], is: (entry: Entry) => boolean): Entry {
  const found = entries.find(is);
  if (found === undefined) throw new Error('The catalogue lacks a subject of the sample');
  return found;
}

/** Of the largest first; equal values share the mean of their ranks. */
const ranksOf = (values: readonly number[]): number[] =>
  values.map((value) => {
    const larger = values.filter((other) => other > value).length;
    const equal = values.filter((other) => other === value).length;
    return larger + (equal + 1) / 2;
  });

/** Spearman's: the correlation of the ranks. */
function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [a, b].map((values) => {
    const ranks = ranksOf(values);
    return ranks.map((rank) => rank - (values.length + 1) / 2);
  }) as [number[], number[]];
  const product = (left: readonly number[], right: readonly number[]) =>
    left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
  return product(x, y) / Math.sqrt(product(x, x) * product(y, y));
}

describe.each([
  ['first', 'for which the rule was set', 0.9],
  ['second', 'which was not looked at before', 0.92],
])('The %s hundred changes, %s', (name, _, measured) => {
  const { items, readings } = sampleOf(name);
  const orders = readings.map((reading) => reading.split(' ').map(Number));

  it('were ranked whole in each of three readings', () => {
    const numbers = items.map(({ number }) => number);
    expect(numbers).toHaveLength(100);
    for (const order of orders) expect([...order].sort((a, b) => a - b)).toEqual(numbers);
  });

  it(`have an importance whose rank correlation with the readings is ${measured}`, () => {
    const weighed = items.flatMap((item) => {
      const importance = importanceOfItem(item);
      const rank = orders.reduce((sum, order) => sum + order.indexOf(item.number), 0);
      return importance === null ? [] : [{ importance, worth: -rank }];
    });
    const correlation = rankCorrelation(
      weighed.map(({ importance }) => importance),
      weighed.map(({ worth }) => worth),
    );
    expect(correlation).toBeGreaterThanOrEqual(0.7);
    expect(correlation).toBeCloseTo(measured, 2);
  });
});
