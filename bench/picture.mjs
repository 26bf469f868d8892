// Bars as SVG: the CPU of a request by process, for each question.
import { writeFile } from 'node:fs/promises';
import { scaleLinear } from 'd3-scale';
import { rounded } from './medians.mjs';

const WIDTH = 860;
const ROW = 24;
const TOP = 76;
const LABELS = 290;
const NUMBERS = 70;
const PARTS = [
  { name: 'server', colour: '#2f5d8a' },
  { name: 'PostgreSQL', colour: '#d08a2e' },
  { name: 'Redis', colour: '#a33b3b' },
];

/** @param rows `{ name, costs: [server, postgres, redis] }` in milliseconds, in the order of the picture */
export async function drawBars(file, { title, note, rows }) {
  const sums = rows.map(({ costs }) => costs.reduce((sum, cost) => sum + cost, 0));
  const x = scaleLinear([0, Math.max(...sums)], [0, WIDTH - LABELS - NUMBERS]);
  const height = TOP + rows.length * ROW + 34;
  const legend = PARTS.map(
    ({ name, colour }, at) =>
      `<rect x="${LABELS + at * 110}" y="46" width="12" height="12" fill="${colour}"/>` +
      `<text x="${LABELS + at * 110 + 18}" y="56">${name}</text>`,
  );
  const bars = rows.flatMap(({ name, costs }, at) => {
    const y = TOP + at * ROW;
    let from = 0;
    const parts = costs.map((cost, part) => {
      const rect = `<rect x="${number(LABELS + x(from))}" y="${y}" width="${number(x(cost))}" height="${ROW - 8}" fill="${PARTS[part].colour}"/>`;
      from += cost;
      return rect;
    });
    const label = `<text x="${LABELS - 10}" y="${y + 13}" text-anchor="end">${name}</text>`;
    const sum = `<text x="${number(LABELS + x(from) + 6)}" y="${y + 13}">${rounded(from, 2)}</text>`;
    return [label, ...parts, sum];
  });
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="system-ui, sans-serif" font-size="13" fill="#222">`,
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="16" y="28" font-size="16" font-weight="600">${title}</text>`,
    ...legend,
    ...bars,
    `<text x="16" y="${height - 12}" font-size="11" fill="#666">${note}</text>`,
    '</svg>',
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
}

function number(value) {
  return value.toFixed(1);
}
