// What must hold between the entries of a catalogue; schemas check each entry alone.
import type { CatalogueFault, CatalogueEntry } from '../../domain/catalogue/catalogue-files.js';
import { normalizeText } from '../../domain/search/normalize.js';
import { loadAliases, type LoadedAliases } from './aliases.js';
import type { FoundFiles } from './catalogue-entries.js';
import type { IndicatorEntry, InstrumentEntry, MappingEntry } from './catalogue.schema.js';
import { sourceFaults } from './source-checks.js';

type Classified = CatalogueEntry<IndicatorEntry> | CatalogueEntry<InstrumentEntry>;
type Say = (entry: CatalogueEntry, reason: string) => void;

export function referenceFaults(found: FoundFiles, aliases: LoadedAliases): CatalogueFault[] {
  const faults: CatalogueFault[] = [];
  const say: Say = ({ file, key }, reason) => void faults.push({ file, entry: key, reason });
  const subjects: Classified[] = [...found.indicators.entries, ...found.instruments.entries];
  for (const entry of subjects) checkSubject(entry, found, say);
  for (const entry of found.indicators.entries) {
    for (const other of entry.value.identity?.of ?? [])
      requireKnown(entry, 'indicator', other, found.indicators.keys, say);
  }
  for (const entry of found.instruments.entries) {
    for (const code of entry.value.regions) requireKnown(entry, 'region', code, found.regions.keys, say);
  }
  for (const entry of [...found.regions.entries, ...found.instruments.entries]) {
    const { currency } = entry.value;
    if (currency !== null) requireKnown(entry, 'currency', currency, found.currencies.keys, say);
  }
  for (const entry of [...found.sources.entries, ...found.units.entries, ...subjects]) {
    const calendar = entry.value.limits?.holidays;
    if (calendar != null) requireKnown(entry, 'holidays', calendar, found.holidays.keys, say);
  }
  for (const entry of found.timetables.entries) {
    const { holidays } = entry.value;
    if (holidays !== undefined) requireKnown(entry, 'holidays', holidays, found.holidays.keys, say);
  }
  for (const entry of found.topics.entries) {
    for (const key of entry.value.coverage) requireKnown(entry, 'domain', key, found.coverage.keys, say);
  }
  requireDistinct<Classified['value']>(
    subjects,
    ({ value }) => [`${value.provider} ${value.providerCode}`],
    'the code',
    say,
  );
  requireDistinct(
    found.regions.entries,
    ({ value: { code, alpha3, aliases: others } }) => [code, ...(alpha3 === null ? [] : [alpha3]), ...others],
    'the code',
    say,
  );
  for (const entry of found.mappings.entries) checkMapping(entry, subjects, say);
  return [...faults, ...sourceFaults(found), ...aliasFaults(found, aliases)];
}

function checkSubject(entry: Classified, found: FoundFiles, say: Say): void {
  const { value } = entry;
  requireKnown(entry, 'unit', value.unit, found.units.keys, say);
  requireKnown(entry, 'source', value.source, found.sources.keys, say);
  for (const slug of value.topics) requireKnown(entry, 'topic', slug, found.topics.keys, say);
  for (const key of value.coverage) requireKnown(entry, 'domain', key, found.coverage.keys, say);
  const timetable = found.timetables.entries.some(
    ({ key, value: { provider } }) => key === value.timetable && provider === value.provider,
  );
  if (!timetable) say(entry, `timetable: ${value.provider} has none named ${value.timetable}`);
  const unit = found.units.entries.find(({ key }) => key === value.unit)?.value;
  if ('currency' in value && unit?.dimension === 'exchange_rate' && value.currency === null) {
    say(entry, `currency: its unit ${value.unit} needs one`);
  }
}

function checkMapping(entry: CatalogueEntry<MappingEntry>, subjects: readonly Classified[], say: Say): void {
  const own = subjects.filter(({ value }) => value.provider === entry.key);
  const { columns = {}, region } = entry.value;
  if (own.length === 0) say(entry, 'no indicator or instrument has it as its provider');
  for (const code of Object.values(columns)) {
    if (own.some(({ value }) => value.providerCode === code)) continue;
    say(entry, `columns: no indicator or instrument of it has the code ${code}`);
  }
  if (region === undefined && own.some(({ value }) => 'slug' in value)) {
    say(entry, 'region: its indicators need one, as a column or as a code');
  }
}

function requireKnown(entry: CatalogueEntry, what: string, key: string, known: ReadonlySet<string>, say: Say): void {
  if (!known.has(key)) say(entry, `${what}: the catalogue has no ${what} ${key}`);
}

function requireDistinct<T>(
  entries: readonly CatalogueEntry<T>[],
  namesOf: (entry: CatalogueEntry<T>) => readonly string[],
  what: string,
  say: Say,
): void {
  const owners = new Map<string, string>();
  for (const entry of entries) {
    for (const name of namesOf(entry)) {
      const other = owners.get(name);
      if (other !== undefined && other !== entry.key) say(entry, `${what} ${name} is that of ${other}`);
      owners.set(name, other ?? entry.key);
    }
  }
}

/** An alias names an entry that exists, and an own one no second entry of the type. */
function aliasFaults(found: FoundFiles, { file, aliases }: LoadedAliases): CatalogueFault[] {
  const known = {
    country: found.regions.keys,
    indicator: found.indicators.keys,
    instrument: found.instruments.keys,
    company: null,
  };
  const isShipped = shippedAliases();
  const owners = new Map<string, string>();
  return aliases.flatMap(({ type, key, names }) => {
    if (known[type]?.has(key) === false) {
      return [{ file, entry: key, reason: `the catalogue has no ${type} ${key}` }];
    }
    return names.flatMap((name) => {
      const words = `${type} ${normalizeText(name)}`;
      const other = owners.get(words) ?? key;
      owners.set(words, other);
      // Some names are shipped for two entries: crude oil is Brent and WTI.
      const meant = [key, other].every((one) => isShipped.has(`${words} ${one}`));
      if (other === key || meant) return [];
      return [{ file, entry: key, reason: `the alias “${name}” is that of ${other}` }];
    });
  });
}

const shippedAliases = (): ReadonlySet<string> =>
  new Set(
    loadAliases(null).aliases.flatMap(({ type, key, names }) =>
      names.map((name) => `${type} ${normalizeText(name)} ${key}`),
    ),
  );
