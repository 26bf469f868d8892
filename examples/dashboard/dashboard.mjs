// Writes a page: inflation in eight economies, five years of EUR/USD, the calendar, and the important changes.
//   TIDEMARK_KEY=tm_… node examples/dashboard/dashboard.mjs http://127.0.0.1:3000 > dashboard.html
import { Tidemark } from '@tidemark/client';

const tm = new Tidemark({ baseUrl: process.argv[2], key: process.env.TIDEMARK_KEY });
const from = `${new Date().getUTCFullYear() - 5}-01-01`;
const region = 'US,DE,FR,IT,GB,JP,CN,IN';
const [macro, euro, calendar, changes] = await Promise.all([
  tm.get('/macro/{indicator}', { indicator: 'cpi-inflation', region, from: '2010' }),
  tm.get('/markets/kind/{kind}', { kind: 'fx', instrument: 'eurusd', tf: 'W1', bars: 260, from }),
  tm.get('/ahead', { limit: 20 }),
  tm.get('/changes', { minImportance: 60, limit: 10 }),
]);

const safe = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const section = (title, all, shown) => `<h1>${title}</h1>${all.map(shown).join('') || '<p>Nothing</p>'}`;
const closes = (bars) => bars.map(({ close }) => close);
const line = (text) => `<p>${safe(text)}</p>`;

/** A line through the figures, with a gap where one is missing. */
function chart(title, figures) {
  const values = figures.flatMap(({ value }) => value ?? []);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const draw = ({ value }, index) => {
    const move = (figures[index - 1]?.value ?? null) === null ? 'M' : 'L';
    const [x, y] = [(index / figures.length) * 300, 60 - (60 * (value - low)) / (high - low || 1)];
    return value === null ? '' : `${move}${x.toFixed(1)},${y.toFixed(1)}`;
  };
  const newest = figures.findLast(({ value }) => value !== null);
  const path = `<svg width="310" height="62"><path d="${figures.map(draw).join('')}" fill="none" stroke="teal"/></svg>`;
  return `<h2>${safe(title)}</h2>${path}${line(newest ? `${newest.text} (${newest.period})` : 'No figures')}`;
}

console.log(`<!doctype html><meta charset="utf-8"><title>Dashboard</title>
${section('Inflation', macro.data.series, ({ region, observations }) => chart(region.name, observations))}
${section('Euro', euro.data, ({ name, bars }) => chart(name, closes(bars)))}
${section('Calendar', calendar.data, ({ scheduledOn, title }) => line(`${scheduledOn} ${title}`))}
${section('Changes', changes.data, ({ headline }) => line(headline))}
${section('Sources', tm.sourcesUsed(), ({ attribution, notice }) => line(`${attribution} ${notice ?? ''}`))}`);
