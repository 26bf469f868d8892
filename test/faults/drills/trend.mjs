/**
 * How much a measure grows from the first sample to the last: the median slope between any two samples, which single
 * spikes do not change, times the span. Falling measures have a negative growth. @template T
 * @param {(T & { seconds: number })[]} samples
 * @param {(sample: T) => number} of
 * @returns {{ growth: number, median: number }} in the measure's unit
 */
export function trend(samples, of) {
  const points = samples.map((sample) => [sample.seconds, of(sample)]);
  const slopes = points.flatMap(([at, value], index) =>
    points
      .slice(index + 1)
      .filter(([later]) => later > at)
      .map(([later, then]) => (then - value) / (later - at)),
  );
  const span = (points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0);
  return { growth: medianOf(slopes) * span, median: medianOf(points.map(([, value]) => value)) };
}

function medianOf(values) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
