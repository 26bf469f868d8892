// The files of the catalogue: the shipped ones, and the operator's own over them.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { CATALOGUE_DIR } from '../config/catalogue-dir.js';
import { inAll, LOCALES, type Locale } from '../locale/locale.js';
import { ownMember } from '../names/own-member.js';

/** Every file of entries, by the member that identifies an entry. */
export const KEYS = {
  units: 'code',
  currencies: 'code',
  licences: 'id',
  sources: 'id',
  coverage: 'key',
  topics: 'slug',
  regions: 'code',
  holidays: 'id',
  timetables: 'id',
  indicators: 'slug',
  instruments: 'key',
  mappings: 'publisher',
} as const;
export type EntryFile = keyof typeof KEYS;

/** The only file that is no list: alternative names, by type and key. */
export const ALIASES = 'aliases';

/** Something wrong in a catalogue. */
export interface CatalogueFault {
  readonly file: string;
  /** The key of the entry; null: the fault is the file's. */
  readonly entry: string | null;
  readonly reason: string;
}

/** An entry after merging, and where it stands. */
export interface CatalogueEntry<T = unknown> {
  readonly key: string;
  readonly file: string;
  /** Whether the operator's own catalogue names it. */
  readonly own: boolean;
  /** The shipped entry under an own one. */
  readonly shipped: unknown;
  readonly value: T;
}

export interface FileEntries<T> {
  readonly entries: readonly CatalogueEntry<T>[];
  /** Of all entries, also of those with a fault. */
  readonly keys: ReadonlySet<string>;
  readonly faults: readonly CatalogueFault[];
}

/** The relative path is the same from src/ and from dist/. */
const SHIPPED = join(import.meta.dirname, '../../../data/catalogue');

/**
 * The entries of a file: the shipped ones in their order, then the operator's. Members of an own entry replace those of the
 * shipped entry with its key. Entries that the schema refuses are left out, and are faults.
 * @param dir the operator's catalogue
 */
export function readEntries<Schema extends z.ZodType>(
  name: EntryFile,
  schema: Schema,
  dir: string | null = CATALOGUE_DIR,
): FileEntries<z.output<Schema>> {
  const shipped = listIn(SHIPPED, name);
  const own = dir === null ? { entries: [], faults: [] } : listIn(dir, name);
  const merged = new Map<string, CatalogueEntry>(
    shipped.entries.map(({ key, value, file }) => [key, { key, value, file, own: false, shipped: null }]),
  );
  for (const { key, value, file } of own.entries) {
    const under = merged.get(key)?.value ?? null;
    merged.set(key, { key, value: { ...under, ...value }, file, own: true, shipped: under });
  }
  const entries: CatalogueEntry<z.output<Schema>>[] = [];
  const faults = [...shipped.faults, ...own.faults];
  for (const entry of merged.values()) {
    const parsed = schema.safeParse(entry.value);
    if (parsed.success) entries.push({ ...entry, value: parsed.data });
    else faults.push(...schemaFaults(entry.file, entry.key, parsed.error));
  }
  return { entries, keys: new Set(merged.keys()), faults };
}

/** The lists of alternative names by type, an own list in place of the shipped one of its key. */
export function readAliasFile<Schema extends z.ZodType>(
  schema: Schema,
  dir: string | null = CATALOGUE_DIR,
): { readonly value: z.output<Schema> | null; readonly file: string; readonly faults: CatalogueFault[] } {
  const shipped = contentOf(join(SHIPPED, `${ALIASES}.json`));
  const file = join(dir ?? SHIPPED, `${ALIASES}.json`);
  const own = dir === null ? { content: {}, faults: [] } : contentOf(file, {});
  const parsed = schema.safeParse(merge(shipped.content, own.content));
  const faults = [...shipped.faults, ...own.faults];
  if (parsed.success) return { value: parsed.data, file, faults };
  return { value: null, file, faults: [...faults, ...schemaFaults(file, null, parsed.error)] };
}

/** Faults of the folder itself: it does not exist, or holds a file of another name. */
export function folderFaults(dir: string): CatalogueFault[] {
  if (!existsSync(dir) || !statSync(dir).isDirectory()) {
    return [{ file: dir, entry: null, reason: 'there is no such folder' }];
  }
  const names = [...Object.keys(KEYS), ALIASES, ...LOCALES];
  const others = readdirSync(dir)
    .filter((name) => name.endsWith('.json') && !names.includes(name.slice(0, -'.json'.length)))
    .map((name) => ({
      file: join(dir, name),
      entry: null,
      reason: `is no file of a catalogue: those are ${names.map((one) => `${one}.json`).join(', ')}`,
    }));
  return [...others, ...LOCALES.flatMap((locale) => contentOf(join(dir, `${locale}.json`), {}).faults)];
}

type Members = Readonly<Record<string, unknown>>;

interface KeyedEntry {
  readonly key: string;
  readonly file: string;
  readonly value: Members;
}

function listIn(dir: string, name: EntryFile): { entries: KeyedEntry[]; faults: CatalogueFault[] } {
  const [file, key] = [join(dir, `${name}.json`), KEYS[name]];
  const { content, faults } = contentOf(file, []);
  if (faults.length > 0) return { entries: [], faults };
  if (!Array.isArray(content)) {
    return { entries: [], faults: [{ file, entry: null, reason: 'is no list of entries' }] };
  }
  const texts = inAll((locale) => translations(dir, name, locale));
  const entries = new Map<string, KeyedEntry>();
  for (const [at, value] of content.entries()) {
    const given: unknown = isMembers(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    if (!isMembers(value) || typeof given !== 'string') {
      faults.push({ file, entry: `number ${at + 1}`, reason: `has no "${key}"` });
    } else if (entries.has(given)) faults.push({ file, entry: given, reason: 'stands here twice' });
    else {
      const inEvery = (entry: unknown, locale: Locale) => translated(entry, ownMember(texts[locale], given), locale);
      entries.set(given, { key: given, file, value: LOCALES.reduce(inEvery, value) as Members });
    }
  }
  for (const one of Object.values(texts).flatMap((of) => Object.keys(of)))
    if (!entries.has(one)) faults.push({ file, entry: one, reason: 'has a translation and no entry' });
  return { entries: [...entries.values()], faults };
}

/** What the file of a language, such as `fr.json`, has for the entries of a file beside it, by key. */
function translations(dir: string, name: EntryFile, locale: Locale): Members {
  const { content } = contentOf(join(dir, `${locale}.json`), {});
  return isMembers(content) && isMembers(content[name]) ? content[name] : {};
}

/** An entry, or a member of one, with the texts of a language where it has those of others: `name: 'PIB'` as `fr` of its `name`. */
function translated(value: unknown, texts: unknown, locale: Locale): unknown {
  if (!isMembers(value) || texts === undefined) return value;
  if (LOCALES.some((one) => Object.hasOwn(value, one))) return { [locale]: texts, ...value };
  const given = isMembers(texts) ? texts : {};
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, translated(one, ownMember(given, name), locale)]),
  );
}

/** @param absent what a file that does not exist contains */
function contentOf(file: string, absent?: unknown): { content: unknown; faults: CatalogueFault[] } {
  if (absent !== undefined && !existsSync(file)) return { content: absent, faults: [] };
  try {
    return { content: JSON.parse(readFileSync(file, 'utf8')) as unknown, faults: [] };
  } catch (error) {
    const reason = error instanceof SyntaxError ? `is not JSON: ${error.message}` : 'cannot be read';
    return { content: absent, faults: [{ file, entry: null, reason }] };
  }
}

/** Objects member by member; anything else is replaced. */
function merge(under: unknown, over: unknown): unknown {
  if (!isMembers(under) || !isMembers(over)) return over;
  const members = Object.entries(over).map(
    ([name, value]) => [name, Object.hasOwn(under, name) ? merge(under[name], value) : value] as const,
  );
  return { ...under, ...Object.fromEntries(members) };
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function schemaFaults(file: string, entry: string | null, { issues }: z.ZodError): CatalogueFault[] {
  return issues.map(({ path, message }) => {
    const reason = message.endsWith('received undefined') ? 'is missing' : message;
    return { file, entry, reason: path.length === 0 ? reason : `${path.join('.')}: ${reason}` };
  });
}
