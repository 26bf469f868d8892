// How far a figure has moved since it was first published. A test of a trading rule or a model that uses today's figures for
// past decisions knows the future: it must use the figures that were known on the day of each decision.
//   TIDEMARK_KEY=tm_… node examples/vintages/look-ahead.mjs http://127.0.0.1:3000 gdp-growth JP [day]
import { Tidemark } from '@tidemark/client';

const [baseUrl, indicator, region, day] = process.argv.slice(2);
const tm = new Tidemark({ baseUrl, key: process.env.TIDEMARK_KEY });

/** Every value that each period had, with the days from which and until which it was known. */
const { data } = await tm.get('/macro/{indicator}', { indicator, region, vintages: 'all' });
const [series] = data.series;
if (series === undefined) throw new Error(`${indicator} has no figures of ${region}`);
const values = series.observations.filter(({ value }) => value !== null);

/** The series as it was known at the end of a day: the same as `asOf`, without another request. */
const knownOn = (date) =>
  values.filter(({ knownSince, knownUntil }) => knownSince <= date && (knownUntil == null || date < knownUntil));

const revised = knownOn('9999-12-31').map((current) => {
  const [first] = values
    .filter(({ period }) => period === current.period)
    .sort((one, other) => one.knownSince.localeCompare(other.knownSince));
  return { period: current.period, knownSince: first.knownSince, first: first.value, now: current.value };
});
const moved = revised.filter(({ first, now }) => first !== now);
const distance = moved.reduce((sum, { first, now }) => sum + Math.abs(now - first), 0);

console.table(moved);
console.log(
  `${data.indicator.name}, ${series.region.name}: ${moved.length} of ${revised.length} figures were revised,`,
);
console.log(
  `on average by ${moved.length === 0 ? 0 : (distance / moved.length).toFixed(2)} ${data.indicator.unit.label}.`,
);
if (day !== undefined) {
  const known = knownOn(day).map(({ period, value }) => `${period} ${value}`);
  console.log(`Known on ${day}: ${known.join(', ') || 'nothing that is held'}`);
}
console.log(tm.cite(series).text);
