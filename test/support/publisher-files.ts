import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// A reader of publishers' files that shares no code with the service: lines and commas, split by hand.

const CATALOGUE = join(__dirname, '../../data/catalogue');
const listOf = <Item>(file: string): Item[] => JSON.parse(readFileSync(join(CATALOGUE, file), 'utf8')) as Item[];
const INSTRUMENTS = listOf<{ key: string; provider: string; providerCode: string }>('instruments.json');
const DAY_MS = 86_400_000;
const REGIONS = listOf<{ code: string; alpha3: string | null }>('regions.json');

/** The folders of the publishers' files; each may lack. */
export interface PublisherFolders {
  readonly vintages: string;
  readonly ecb: string;
  readonly eia: string;
  readonly treasury: string;
}

/** Printed figures by period. */
type Column = ReadonlyMap<string, string>;

export class PublisherFiles {
  private readonly columns = new Map<string, Column>();

  constructor(private readonly folders: PublisherFolders) {}

  /** The days of the vintages, in order. */
  days(): string[] {
    return readdirSync(this.folders.vintages)
      .filter((name) => /^\d{4}-\d\d-\d\d$/.test(name))
      .sort();
  }

  /** What a vintage prints for `indicator@region`. */
  economy(day: string, providerCode: string, series: string): Column {
    const code = series.split('@')[1] ?? '';
    const region = REGIONS.find((one) => one.code === code)?.alpha3 ?? code;
    const file = join(this.folders.vintages, day, `${providerCode}.csv`);
    return this.once(`${file} ${region}`, () => {
      if (!existsSync(file)) return [];
      return rowsOf(file)
        .map((cells) => cells.slice(-3))
        .filter(([own, , value]) => own === region && value !== '')
        .map(([, year = '', value = '']) => [year, value] as const);
    });
  }

  /** All prices that the publisher's newest files print for an instrument. */
  prices(instrument: string): Column {
    const { provider, providerCode } = INSTRUMENTS.find(({ key }) => key === instrument) ?? {};
    const files =
      provider === 'ecb'
        ? [this.folders.ecb]
        : provider === 'eia'
          ? [join(this.folders.eia, fileOf(instrument))]
          : readdirSync(this.folders.treasury)
              .filter((name) => name.endsWith('.csv'))
              .map((name) => join(this.folders.treasury, name));
    const column = provider === 'eia' ? 'Price' : (providerCode ?? '');
    const period = periodOf(instrument);
    return this.once(instrument, () =>
      files.flatMap((file) => columnOf(file, column)).map(([day, value]) => [period(day), value] as const),
    );
  }

  private once(key: string, read: () => (readonly [string, string])[]): Column {
    const held = this.columns.get(key) ?? new Map(read());
    this.columns.set(key, held);
    return held;
  }
}

const AVERAGE = /^(.*)-(weekly|monthly)-average$/;

/** `brent` has a file of its days, `brent-monthly-average` and `brent-weekly-average` have files of their own. */
function fileOf(instrument: string): string {
  const [, series = instrument, frequency = 'daily'] = AVERAGE.exec(instrument) ?? [];
  return `${series}-${frequency}.csv`;
}

/** An average is that of the month or the ISO week of the printed day. */
function periodOf(instrument: string): (day: string) => string {
  const frequency = AVERAGE.exec(instrument)?.[2];
  if (frequency === undefined) return (day) => day;
  return frequency === 'monthly' ? (day) => day.slice(0, 7) : weekOf;
}

/** The ISO week has the year of its Thursday. */
function weekOf(day: string): string {
  const date = new Date(day);
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY_MS);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS / 7) + 1;
  return `${String(year)}-W${String(week).padStart(2, '0')}`;
}

function rowsOf(file: string): string[][] {
  return readFileSync(file, 'utf8')
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(','));
}

function columnOf(file: string, name: string): (readonly [string, string])[] {
  const [header = ''] = readFileSync(file, 'utf8').split(/\r?\n/, 1);
  const at = header.split(',').indexOf(name);
  if (at < 0) return [];
  return rowsOf(file)
    .map((cells) => [cells[0] ?? '', cells[at] ?? ''] as const)
    .filter(([, value]) => value !== '' && value !== 'N/A');
}
