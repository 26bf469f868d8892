import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// The four small vintages as their files print them, read without the service's code.

const FOLDER = join(__dirname, '../fixtures/vintages');
const SLUGS: Readonly<Record<string, string>> = {
  'FP.CPI.TOTL.ZG': 'cpi-inflation',
  'NY.GDP.MKTP.CD': 'gdp',
  'NY.GDP.MKTP.KD.ZG': 'gdp-growth',
  'SL.UEM.TOTL.ZS': 'unemployment-rate',
};
const REGIONS: Readonly<Record<string, string>> = {
  CHN: 'CN',
  DEU: 'DE',
  JPN: 'JP',
  NGA: 'NG',
  USA: 'US',
  EMU: 'EMU',
  WLD: 'WLD',
};

export const INDICATORS = Object.values(SLUGS);
export const ECONOMIES = Object.values(REGIONS);

interface PrintedFile {
  readonly first: string;
  readonly last: string;
  /** Printed figures by `region period`. */
  readonly figures: ReadonlyMap<string, string>;
}

export type Vintages = ReadonlyMap<string, ReadonlyMap<string, PrintedFile>>;

/** By day, then by indicator; days in order. */
export function readVintages(): Vintages {
  return new Map(
    readdirSync(FOLDER)
      .sort()
      .map((day) => [day, new Map(readdirSync(join(FOLDER, day)).map((file) => readOne(day, file)))]),
  );
}

function readOne(day: string, file: string): readonly [string, PrintedFile] {
  const lines = readFileSync(join(FOLDER, day, file), 'utf8')
    .trim()
    .split(/\r?\n/)
    .slice(1);
  const rows = lines.map((line) => line.split(',').slice(-3));
  const years = rows.map(([, year = '']) => year).sort();
  const figures = new Map(
    rows
      .filter(([, , value]) => value !== '')
      .map(([region = '', year = '', value = '']) => [`${REGIONS[region] ?? region} ${year}`, value] as const),
  );
  const printed = { first: years[0] ?? '', last: years.at(-1) ?? '', figures };
  return [SLUGS[file.replace('.csv', '')] ?? file, printed];
}

export interface KnownCell {
  readonly period: string;
  /** null: the source printed it once, but no longer. */
  readonly printed: string | null;
  /** Day of the first vintage in a row with this value. */
  readonly since: string | null;
}

/** The known values of one series at the end of a day, oldest period first, without gaps. */
export function knownOn(vintages: Vintages, day: string, indicator: string, region: string): KnownCell[] {
  const cells = new Map<string, KnownCell>();
  for (const [vintage, files] of vintages) {
    const file = vintage > day ? undefined : files.get(indicator);
    if (file === undefined) continue;
    for (let year = Number(file.first); year <= Number(file.last); year += 1) {
      const period = String(year);
      const known = cells.get(period);
      const printed = file.figures.get(`${region} ${period}`) ?? null;
      if (printed === null && known === undefined) continue;
      const same = printed !== null && known?.printed != null && Number(known.printed) === Number(printed);
      cells.set(period, { period, printed, since: printed === null ? null : same ? known.since : vintage });
    }
  }
  return [...cells.values()].sort((a, b) => (a.period < b.period ? -1 : 1));
}
