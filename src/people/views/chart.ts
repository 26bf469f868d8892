import { scaleLinear, scaleUtc } from 'd3-scale';
import { area, curveLinear, curveStepAfter, line } from 'd3-shape';
import { dayOf, firstDayOf, frequencyOf } from '../../domain/figures/periods.js';
import { formatPeriod } from '../../domain/locale/format.js';
import { inAll, type Locale } from '../../domain/locale/locale.js';
import { VOICES } from '../../domain/locale/voice/voices.js';

export interface ChartPoint {
  /** Its period. */
  readonly label: string;
  /** Null makes a gap. */
  readonly value: number | null;
  /** The lowest and highest value of any vintage. */
  readonly low?: number;
  readonly high?: number;
  /** The value as readers are shown it. */
  readonly text?: string | null;
}

/** A second line on the same axes. */
export interface OtherLine {
  readonly name: string;
  readonly points: readonly ChartPoint[];
}

export interface ChartOptions {
  readonly title: string;
  readonly locale: Locale;
  /** Of the first line, for its key beside a second one. */
  readonly name?: string;
  /** Of the values, above their axis. */
  readonly unit?: string;
  /** Draws steps: a policy rate holds until the next one. */
  readonly steps?: boolean;
  /** The label of the highlighted point. */
  readonly marked?: string | undefined;
  /** The highlighted point's value in the earlier vintage. */
  readonly before?: number | null;
  readonly other?: OtherLine | null;
}

interface Tick {
  readonly at: number;
  readonly text: string;
}

/** What is read off at one period: its place, its name, and height and text on each line. */
type Reading = [x: number, period: string, ...(number | string | null)[]];

/** The model of `chart.eta`: paths and labels in the drawing's own units. */
export interface Chart {
  readonly title: string;
  readonly unit: string;
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly values: readonly Tick[];
  readonly periods: readonly Tick[];
  readonly names: readonly string[];
  readonly line: string;
  readonly other: string | null;
  readonly band: string | null;
  readonly zero: number | null;
  readonly mark: { readonly x: number; readonly y: number; readonly before: number | null } | null;
  readonly readings: readonly Reading[];
}

const [WIDTH, HEIGHT] = [720, 300];
const MARGIN = { top: 30, right: 16, bottom: 34, left: 84 };
const VALUE_TICKS = 5;
const PERIOD_TICKS = 6;
/** More than the drawing has columns would only be heavier. */
const MOST_POINTS = 500;

interface Scales {
  readonly x: (point: ChartPoint) => number;
  readonly y: (value: number) => number;
}

/** A line over time, with the range of earlier vintages as a band. Null if there are too few points for a line. */
export function lineChart(all: readonly ChartPoint[], options: ChartOptions): Chart | null {
  const { title, locale, unit = '', name = '', steps = false, marked, before = null, other } = options;
  if (all.filter(({ value }) => value !== null).length < 2) return null;
  const points = thinned(all, marked);
  const others = thinned(other?.points ?? [], undefined);
  const drawn = [...points, ...others];
  const known = drawn.flatMap(({ value, low, high }) => [value, low, high].filter((one) => one != null));
  if (before !== null) known.push(before);
  const times = new Map(drawn.map(({ label }) => [label, Date.parse(firstDayOf(label))]));
  const time = scaleUtc(
    [Math.min(...times.values()), Math.max(...times.values())],
    [MARGIN.left, WIDTH - MARGIN.right],
  );
  const value = scaleLinear([Math.min(...known), Math.max(...known)], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(
    VALUE_TICKS,
  );
  const scales: Scales = { x: ({ label }) => round(time(times.get(label) ?? 0)), y: (one) => round(value(one)) };
  const highlighted = points.find((one) => one.label === marked && one.value !== null);
  const [bottom = 0, top = 0] = value.domain();
  const isAnnual = drawn.every(({ label }) => frequencyOf(label) === 'A');
  return {
    title,
    unit,
    width: WIDTH,
    height: HEIGHT,
    left: MARGIN.left,
    values: value.ticks(VALUE_TICKS).map((tick) => ({ at: scales.y(tick), text: axisText(tick, locale) })),
    periods: periodTicks(time.ticks(PERIOD_TICKS), isAnnual, locale).map(({ tick, text }) => ({
      at: round(time(tick)),
      text,
    })),
    names: other ? [name, other.name] : [],
    line: pathOf(points, steps, scales),
    other: other ? pathOf(others, steps, scales) : null,
    band: points.some(({ low, high }) => low !== high) ? bandPath(points, steps, scales) : null,
    zero: bottom < 0 && top > 0 ? scales.y(0) : null,
    mark:
      highlighted === undefined
        ? null
        : {
            x: scales.x(highlighted),
            y: scales.y(highlighted.value ?? 0),
            before: before === null ? null : scales.y(before),
          },
    readings: readingsOf(points, others, scales, locale),
  };
}

/**
 * Both lines as an index that is 100 at their first common period, for lines of different units; null without one. The
 * texts stay those of the figures.
 */
export function indexed(points: readonly ChartPoint[], other: OtherLine) {
  const values = new Map(other.points.map(({ label, value }) => [label, value]));
  const base = points.find(({ label, value }) => Boolean(value) && Boolean(values.get(label)));
  if (base === undefined) return null;
  const scaled = (all: readonly ChartPoint[], whole: number) =>
    all.map(({ label, value, text }) => ({
      label,
      text: text ?? null,
      value: value === null ? null : (value / whole) * 100,
    }));
  return {
    base: base.label,
    points: scaled(points, base.value ?? 1),
    other: { name: other.name, points: scaled(other.points, values.get(base.label) ?? 1) },
  };
}

const round = (number: number): number => Math.round(number * 10) / 10;

const isKnown = ({ value }: ChartPoint): boolean => value !== null;

const pathOf = (points: readonly ChartPoint[], steps: boolean, { x, y }: Scales): string =>
  line<ChartPoint>(x, ({ value }) => y(value ?? 0))
    .defined(isKnown)
    .curve(steps ? curveStepAfter : curveLinear)(points) ?? '';

const bandPath = (points: readonly ChartPoint[], steps: boolean, { x, y }: Scales): string | null =>
  area<ChartPoint>()
    .defined(isKnown)
    .x(x)
    .y0(({ low, value }) => y(low ?? value ?? 0))
    .y1(({ high, value }) => y(high ?? value ?? 0))
    .curve(steps ? curveStepAfter : curveLinear)(points);

/** The lowest and the highest point of each range, and the marked one: the line keeps its shape and its extremes. */
function thinned(points: readonly ChartPoint[], marked: string | undefined): readonly ChartPoint[] {
  const size = Math.ceil(points.length / (MOST_POINTS / 2));
  if (size <= 2) return points;
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) => {
    const range = points.slice(index * size, (index + 1) * size);
    const values = range.flatMap(({ value }) => (value === null ? [] : [value]));
    const ends = new Set([
      range.find(({ value }) => value === Math.min(...values)) ?? range[0],
      range.find(({ value }) => value === Math.max(...values)),
    ]);
    return range.filter((one) => ends.has(one) || one.label === marked);
  }).flat();
}

function readingsOf(
  points: readonly ChartPoint[],
  others: readonly ChartPoint[],
  { x, y }: Scales,
  locale: Locale,
): Reading[] {
  const second = new Map(others.map((point) => [point.label, point]));
  const at = (point: ChartPoint | undefined) =>
    point?.value == null ? [null, '–'] : [y(point.value), point.text ?? String(point.value)];
  return points
    .filter(isKnown)
    .map((point) => [
      x(point),
      formatPeriod(locale, point.label),
      ...at(point),
      ...(others.length === 0 ? [] : at(second.get(point.label))),
    ]);
}

const axisText = (value: number, locale: Locale): string =>
  (Math.abs(value) >= 100_000 ? SHORT : PLAIN)[locale].format(value);

/** Round years, months or days, each named by what all of them need. */
function periodTicks(ticks: readonly Date[], isAnnual: boolean, locale: Locale) {
  const isYear = (tick: Date) => dayOf(tick).endsWith('-01-01');
  const shown = isAnnual ? ticks.filter(isYear) : ticks;
  const format = shown.every(isYear)
    ? null
    : shown.every((tick) => dayOf(tick).endsWith('-01'))
      ? MONTH[locale]
      : DAY[locale];
  return shown.map((tick) => ({
    tick,
    text: format === null ? formatPeriod(locale, dayOf(tick).slice(0, 4)) : format.format(tick),
  }));
}

// Each is made once: to make one takes far longer than to use it.
const datesOf = (options: Intl.DateTimeFormatOptions) =>
  inAll((locale) => new Intl.DateTimeFormat(VOICES[locale].dates, { ...options, timeZone: 'UTC' }));
// Five whole names of days do not fit side by side.
const DAY = datesOf({ dateStyle: 'medium' });
const MONTH = datesOf({ year: 'numeric', month: 'short' });
const axisNumbers = (options: Intl.NumberFormatOptions) =>
  inAll((locale) => new Intl.NumberFormat(locale, { maximumSignificantDigits: 6, ...options }));
const PLAIN = axisNumbers({});
const SHORT = axisNumbers({ notation: 'compact' });
