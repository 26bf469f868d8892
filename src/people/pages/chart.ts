import { scaleLinear } from 'd3-scale';
import { area, curveLinear, curveStepAfter, line } from 'd3-shape';
import type { Locale } from '../../domain/locale/locale.js';

export interface ChartPoint {
  readonly label: string;
  /** Null makes a gap. */
  readonly value: number | null;
  /** The lowest and highest value of any vintage. */
  readonly low?: number;
  readonly high?: number;
}

export interface ChartOptions {
  readonly title: string;
  readonly locale: Locale;
  /** Draws steps: a policy rate holds until the next one. */
  readonly steps?: boolean;
  /** The label of the highlighted point. */
  readonly marked?: string;
  /** The highlighted point's value in the earlier vintage. */
  readonly before?: number | null;
}

interface Tick {
  readonly at: number;
  readonly text: string;
}

/** The model of `chart.eta`: paths and labels in the drawing's own units. */
export interface Chart {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly values: readonly Tick[];
  readonly periods: readonly Tick[];
  readonly line: string;
  readonly band: string | null;
  readonly zero: number | null;
  readonly mark: { readonly x: number; readonly y: number; readonly before: number | null } | null;
}

const [WIDTH, HEIGHT] = [720, 300];
const MARGIN = { top: 12, right: 16, bottom: 34, left: 84 };
const VALUE_TICKS = 5;
const PERIOD_TICKS = 5;

/** A line over periods, with the range of earlier vintages as a band. Null if there are too few points for a line. */
export function lineChart(points: readonly ChartPoint[], options: ChartOptions): Chart | null {
  const { title, locale, steps = false, marked, before = null } = options;
  const known = points.flatMap(({ value, low, high }) => [value, low, high].filter((one) => one != null));
  if (points.filter(({ value }) => value !== null).length < 2) return null;
  if (before !== null) known.push(before);
  const x = scaleLinear([0, points.length - 1], [MARGIN.left, WIDTH - MARGIN.right]);
  const y = scaleLinear([Math.min(...known), Math.max(...known)], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(
    VALUE_TICKS,
  );
  const curve = steps ? curveStepAfter : curveLinear;
  const path = line<ChartPoint>(
    (_, index) => round(x(index)),
    ({ value }) => round(y(value ?? 0)),
  )
    .defined(({ value }) => value !== null)
    .curve(curve);
  const band = area<ChartPoint>()
    .defined(({ value }) => value !== null)
    .x((_, index) => round(x(index)))
    .y0(({ low, value }) => round(y(low ?? value ?? 0)))
    .y1(({ high, value }) => round(y(high ?? value ?? 0)))
    .curve(curve);
  const at = points.findIndex(({ label }) => label === marked);
  const value = points[at]?.value ?? null;
  const [bottom = 0, top = 0] = y.domain();
  return {
    title,
    ...{ width: WIDTH, height: HEIGHT, left: MARGIN.left },
    values: y.ticks(VALUE_TICKS).map((tick) => ({ at: round(y(tick)), text: axisText(tick, locale) })),
    periods: periodTicks(points, (index) => round(x(index))),
    line: path(points) ?? '',
    band: points.some(({ low, high }) => low !== high) ? band(points) : null,
    zero: bottom < 0 && top > 0 ? round(y(0)) : null,
    mark:
      value === null
        ? null
        : { x: round(x(at)), y: round(y(value)), before: before === null ? null : round(y(before)) },
  };
}

const round = (number: number): number => Math.round(number * 10) / 10;

function axisText(value: number, locale: Locale): string {
  const compact = Math.abs(value) >= 100_000 ? ({ notation: 'compact' } as const) : {};
  return value.toLocaleString(locale, { maximumSignificantDigits: 6, ...compact }).replace('-', '−');
}

function periodTicks(points: readonly ChartPoint[], x: (index: number) => number): Tick[] {
  const count = Math.min(PERIOD_TICKS, points.length);
  const indexes = Array.from({ length: count }, (_, at) =>
    Math.round((at * (points.length - 1)) / (count - 1)),
  );
  return indexes.map((index) => ({ at: x(index), text: points[index]?.label ?? '' }));
}
