import { readCatalogue } from '../../catalogue/catalogue.js';
import {
  ImportError,
  type BadRow,
  type Batch,
  type Delivery,
  type FigureRow,
  type Importer,
  type OnStrayFile,
} from '../../batches/importer.js';
import { openDeliveries, type RecognisedFile } from '../../batches/deliveries.js';
import { requireNamed } from '../../batches/named-columns.js';
import { recognisedSources } from '../../batches/source-files.js';
import { readHeld, wholeText } from '../../batches/whole-text.js';
import { RELEASE_COLUMNS, readReleases, type Release } from './release-list.js';
import { readSchedule, SCHEDULE_COLUMNS } from './schedule-list.js';
import { grouped } from '../../../domain/grouped.js';

/**
 * Lists of past releases and schedules of future ones. A list becomes one delivery per day, as the publishers released
 * it; a schedule is one delivery, on the day of its announcement.
 */
export const releases: Importer = {
  publisher: 'releases',
  // A schedule may come from any publisher whose indicators the catalogue names.
  get providers() {
    return [...new Set(readCatalogue().indicators.map(({ provider }) => provider))];
  },
  async open(paths, vintage, onStray) {
    const sources = await recognisedSources(paths, recognise, onStray);
    const files = sources.map(({ recognised }) => recognised);
    const lists = files.filter(({ kind }) => kind === 'releases');
    const schedules = files.filter(({ kind }) => kind === 'schedule').map(({ path }) => path);
    if (lists.length > 0 && vintage !== null) {
      throw new ImportError('A list of releases states the day of each release: omit --vintage');
    }
    const days = lists.length === 0 ? [] : await releaseDays(lists);
    const planned = schedules.length === 0 ? [] : await openSchedules(schedules, vintage);
    return [...days, ...planned].sort((a, b) => (a.vintage < b.vintage ? -1 : a.vintage > b.vintage ? 1 : 0));
  },
};

async function recognise(path: string) {
  const text = await wholeText(path);
  return { path, text, kind: kindOf(text, path) };
}

function kindOf(text: string, path: string): 'releases' | 'schedule' {
  const [header = ''] = text.split(/\r?\n/, 1);
  const names = header.split(',').map((name) => name.trim());
  if (names.includes('status') || names.includes('time_zone')) return 'schedule';
  if (names.includes('release_date') && names.includes('actual')) return 'releases';
  throw new ImportError(
    `${path} is neither a list of releases (${RELEASE_COLUMNS.join(', ')}) nor a schedule ` +
      `(${SCHEDULE_COLUMNS.join(', ')})`,
  );
}

/** One delivery for each day on which a schedule was known. @param indicator that the files must speak of */
export function openSchedules(
  paths: readonly string[],
  vintage: string | null,
  { indicator, onStray }: { readonly indicator?: string; readonly onStray?: OnStrayFile | undefined } = {},
): Promise<Delivery[]> {
  const recogniseSchedule = async (path: string): Promise<RecognisedFile> => {
    const text = await wholeText(path);
    await requireNamed(text, path, SCHEDULE_COLUMNS);
    if (indicator !== undefined && !text.includes(`,${indicator},`))
      throw new ImportError(`${path} has no release of ${indicator}`);
    return { stated: null, read: (chunks) => readHeld(chunks, () => readSchedule(text, path)) };
  };
  return openDeliveries(paths, vintage, recogniseSchedule, undefined, onStray);
}

/** All bad rows are reported with the first day, so that a list is published whole or not at all. */
async function releaseDays(lists: readonly { readonly path: string; readonly text: string }[]): Promise<Delivery[]> {
  const releases: Release[] = [];
  const bad: BadRow[] = [];
  for (const { path, text } of lists) {
    const read = await readReleases(text, path);
    bad.push(...read.bad);
    releases.push(...read.releases);
  }
  const byDay = grouped(releases, ({ day }) => day);
  const names = lists.map(({ path }) => path).join(', ');
  const [first] = bad;
  if (byDay.size === 0 && first !== undefined) {
    const { file, line, column } = first.place;
    throw new ImportError(`${file}:${line}, ${column}: ${first.reason}`);
  }
  return [...byDay.keys()]
    .sort()
    .map((day, index) => ({
      name: `${names} (${day})`,
      vintage: day,
      basis: 'released',
      bytes: 0,
      listed: true,
      read: () => batches(byDay.get(day) ?? [], index === 0 ? bad : []),
    }));
}

async function* batches(day: readonly Release[], bad: readonly BadRow[]): AsyncGenerator<Batch> {
  if (bad.length > 0) yield await Promise.resolve<Batch>({ kind: 'bad', rows: bad });
  yield { kind: 'extents', rows: day.map(({ extent }) => extent) };
  yield { kind: 'figures', rows: withoutRepetition(day.flatMap(({ figures }) => figures)) };
  yield { kind: 'events', rows: day.map(({ event }) => event) };
}

/** Two releases on one day may state the same figure: as the newest of one, and as the previous one of the other. */
function withoutRepetition(rows: readonly FigureRow[]): FigureRow[] {
  const seen = new Set<string>();
  return rows.filter(({ indicator, region, period, value }) => {
    const content = [indicator, region, period, value].join(' ');
    return !seen.has(content) && seen.add(content);
  });
}
