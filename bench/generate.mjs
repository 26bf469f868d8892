// Writes realistic World Bank files in the long layout, one per indicator, with any number of observations. The same
// arguments give the same bytes.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

const CATALOGUE = path.join(import.meta.dirname, '../data/catalogue');
const NEWEST_YEAR = 2025;
const OLDEST_YEAR = 1500;
/**
 * The share of a series' figures that a vintage restates, close to the publisher's own; all lie in its last ten years.
 */
const RESTATED = 0.12;
const OPEN_YEARS = 10;

/** The shape of a series by unit: its first value, its yearly change, and its printed digits. */
const SHAPES = {
  percent: { start: [-2, 9], drift: 0, noise: 1.8, grows: false, digits: 15 },
  percent_of_gdp: { start: [8, 60], drift: 0, noise: 1.5, grows: false, digits: 15 },
  percent_of_labour_force: { start: [2, 14], drift: 0, noise: 0.6, grows: false, digits: 4 },
  usd: { start: [1e8, 1e11], drift: 0.05, noise: 0.06, grows: true, digits: 15 },
  usd_per_person: { start: [400, 30_000], drift: 0.03, noise: 0.04, grows: true, digits: 15 },
  intl_dollar_per_person: { start: [900, 35_000], drift: 0.03, noise: 0.03, grows: true, digits: 15 },
  person: { start: [50_000, 9e7], drift: 0.01, noise: 0.004, grows: true, digits: 0 },
  lcu_per_usd: { start: [0.5, 900], drift: 0.02, noise: 0.05, grows: true, digits: 15 },
  year: { start: [45, 75], drift: 0.003, noise: 0.004, grows: true, digits: 5 },
};

/**
 * @param vintages day names, oldest first; each gets a folder. The first contains exactly `observations`; each later
 * one restates some of them and publishes the next year of some series.
 * @returns the number of observations in each folder
 */
export async function generate(folder, { observations, regions: most = Infinity, vintages }) {
  const [regions, all] = await Promise.all(['regions', 'indicators'].map(readCatalogue));
  const indicators = all.filter(({ provider }) => provider === 'worldbank');
  const reporting = regions.slice(0, most);
  const perSeries = observations / (reporting.length * indicators.length);
  if (Math.ceil(perSeries) > NEWEST_YEAR - OLDEST_YEAR)
    throw new Error(`${observations} observations are more than the catalogue's series have years for`);
  const counts = new Map(vintages.map((day) => [day, 0]));
  for (const day of vintages) await mkdir(path.join(folder, day), { recursive: true });
  for (const [at, indicator] of indicators.entries()) {
    const texts = new Map(vintages.map((day) => [day, ['Country Name,Country Code,Year,Value\n']]));
    for (const [place, region] of reporting.entries()) {
      const series = at * reporting.length + place;
      const years = Math.floor((series + 1) * perSeries) - Math.floor(series * perSeries);
      for (const [day, lines] of linesOf(indicator, region, years, vintages)) {
        texts.get(day).push(...lines);
        counts.set(day, counts.get(day) + lines.length);
      }
    }
    for (const [day, lines] of texts)
      await writeFile(path.join(folder, day, `${indicator.providerCode}.csv`), lines.join(''));
  }
  return [...counts.values()];
}

async function readCatalogue(name) {
  return JSON.parse(await readFile(path.join(CATALOGUE, `${name}.json`), 'utf8'));
}

function* linesOf(indicator, region, years, vintages) {
  const shape = SHAPES[indicator.unit];
  if (shape === undefined) throw new Error(`No shape is given for the unit ${indicator.unit}`);
  const random = randomFrom(`${indicator.providerCode} ${region.code}`);
  const values = walk(shape, years + vintages.length, random);
  const first = NEWEST_YEAR - years + 1;
  const head = `${csv(region.name.en)},${region.alpha3 ?? region.code}`;
  let newest = years;
  for (const [index, day] of vintages.entries()) {
    if (index > 0) {
      const likely = Math.min(0.9, (RESTATED * newest) / OPEN_YEARS);
      for (let at = Math.max(0, newest - OPEN_YEARS); at < newest; at += 1)
        if (random() < likely) values[at] *= 1 + (random() - 0.5) * 0.06;
      // A third of the series publish their next year in a vintage, each of them once.
      if (newest === years && random() < 0.33) newest += 1;
    }
    yield [day, values.slice(0, newest).map((value, at) => `${head},${first + at},${print(value, shape)}\n`)];
  }
}

function walk({ start: [low, high], drift, noise, grows }, length, random) {
  const values = [];
  let value = low + random() ** 2 * (high - low);
  const middle = value;
  for (let at = 0; at < length; at += 1) {
    values.push(value);
    const step = (random() + random() + random() - 1.5) * noise * 2;
    value = grows ? value * Math.max(0.7, 1 + drift + step) : value + step + (middle - value) * 0.2;
    // Over centuries growth compounds beyond any real value: the series restarts, as after a currency reform.
    if (grows && value > high * 1e3) value /= 1e3;
  }
  return values;
}

function print(value, { digits }) {
  return digits === 0 ? String(Math.round(value)) : String(Number(value.toPrecision(digits)));
}

function csv(text) {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Mulberry32, seeded by a text. */
function randomFrom(text) {
  let state = 2_166_136_261;
  for (const character of text) state = Math.imul(state ^ character.codePointAt(0), 16_777_619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

if (process.argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { observations: { type: 'string', default: '60000' }, vintages: { type: 'string' } },
  });
  if (positionals.length !== 1) {
    console.error('node bench/generate.mjs <folder> [--observations 60000] [--vintages 2026-04-01,2026-07-01]');
    process.exit(2);
  }
  const vintages = values.vintages?.split(',') ?? ['2026-07-01'];
  const counts = await generate(positionals[0], { observations: Number(values.observations), vintages });
  console.log(vintages.map((day, at) => `${day}: ${counts[at]} observations`).join('\n'));
}
