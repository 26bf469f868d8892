import type { Said } from './said-twice.js';

/** A part of a text and the members of the structure that it renders. */
export interface Part {
  readonly name: string;
  readonly text: string;
  readonly structures: readonly unknown[];
  /** Numbers that the text counts in the structure: its items. */
  readonly counts: readonly number[];
  /** Whether it is what stands once, before and after all items. */
  readonly isRest: boolean;
}

type Members = Readonly<Record<string, unknown>>;
interface Shape {
  /** The items, in the order of the text. */
  readonly items: readonly unknown[];
  /** Whether a line begins an item. */
  readonly begins: (line: string, at: number) => boolean;
  /** What is not in the items. */
  readonly rest: unknown;
}

const dashed = (line: string): boolean => line.startsWith('- ');
const numbered = (line: string): boolean => /^\d+\. /.test(line);
const list = (data: unknown): unknown[] => data as unknown[];

function companyShape({ relations, candidates, changes, ...rest }: Members): Shape {
  const begins = (line: string) => dashed(line) || numbered(line);
  return { items: [relations ?? [], candidates ?? [], changes ?? []].flatMap(list), begins, rest };
}

function briefShape({ sections, markets, ahead, ...rest }: Members): Shape {
  const parts = list(sections) as { items: unknown[] }[];
  return {
    items: [...parts.flatMap(({ items }) => items), ...list(markets), ...list(ahead)],
    begins: dashed,
    rest: { ...rest, sections: parts.map(({ items: _items, ...section }) => section) },
  };
}

function seriesShape({ series, ...rest }: Members): Shape {
  return { items: list(series), begins: (line) => dashed(line) || numbered(line), rest };
}

/** How the text of each tool is divided; one without items is compared as a whole. */
function shapeOf({ tool, text, structure: { data, meta } }: Said): Shape {
  if (tool === 'company') return companyShape(data as Members);
  if (tool === 'latest_brief') return briefShape(data as Members);
  if (tool === 'figures') return seriesShape(data as Members);
  if (tool === 'country_heat') {
    const notices = list(meta['notices'] ?? []) as string[];
    const first = text.split('\n').findIndex((line) => !notices.some((notice) => line.endsWith(notice)));
    const head = meta['window'] === undefined ? first - 1 : first;
    return { items: list(data), begins: (line, at) => at > head && !dashed(line) && line !== '', rest: null };
  }
  if (Array.isArray(data)) {
    return { items: data, begins: tool === 'latest_changes' ? numbered : dashed, rest: null };
  }
  return { items: [], begins: () => false, rest: data };
}

/** The parts of a result, or why the text has not the items of the structure. */
export function partsOf(said: Said): Part[] | string {
  const { items, begins, rest } = shapeOf(said);
  const { signals = [], ...meta } = said.structure.meta;
  const blocks: string[][] = [];
  const others: string[] = [];
  for (const [at, line] of said.text.split('\n').entries()) {
    if (items.length > 0 && begins(line, at) && (blocks.length < items.length || dashed(line))) blocks.push([line]);
    else if (/^(?: |- )/.test(line) && items.length > 0) (blocks.at(-1) ?? others).push(line);
    // Headings, and the last lines.
    else others.push(line);
  }
  if (blocks.length !== items.length) {
    return `the text has ${String(blocks.length)} items, the structure ${String(items.length)}`;
  }
  const numbers = [...said.text.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
  if (numbers.some((number, at) => number !== at + 1)) return 'the text counts its items wrongly';
  const { changes = [] } = said.structure.data as { changes?: unknown[] };
  const counts = [items.length, changes.length];
  // The last lines say of a single item what others say in their own.
  if (items.length < 2) {
    return [
      { name: 'all', text: said.text.replace(/^\d+\. /gm, ''), structures: [said.structure], counts, isRest: true },
    ];
  }
  return [
    ...blocks.map((lines, at) => ({
      name: `item ${String(at)}`,
      text: lines.join('\n').replace(/^\d+\. /, ''),
      structures: [items[at], signalsOf(items[at], list(signals))],
      counts: [],
      isRest: false,
    })),
    { name: 'rest', text: others.join('\n'), structures: [rest, meta], counts, isRest: true },
  ];
}

/** The titles, which stand once in `meta`, of the signals of an item. */
function signalsOf(item: unknown, all: readonly unknown[]): unknown[] {
  const { signals = [] } = item as { signals?: readonly string[] };
  return all.filter((one) => signals.includes((one as { id: string }).id));
}
