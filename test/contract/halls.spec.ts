import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const ROOT = join(__dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/explanation/architecture.md'), 'utf8');
/** One file for each message, one for each view: their number follows what the service displays. */
const MAY_BE_LARGE = /\/(messages\/[a-z]{2}|templates)$/;
const MOST_FILES = 20;

interface Import {
  readonly from: string;
  readonly to: string;
}

const files = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter((one) => one.isFile())
  .map((one) => posix.relative(ROOT, posix.join(one.parentPath, one.name)));
const known = new Set(files);
const imports = files.filter((file) => file.endsWith('.ts')).flatMap(importsOf);
/** From the lowest hall to the highest; halls of one rank do not import each other. */
const ranks = orderOf(PAGE);

describe('The halls of src/', () => {
  it('are those of the architecture page, in one order', () => {
    const halls = new Set(files.map(hallOf).filter((hall) => hall !== ''));
    expect([...ranks.keys()].sort()).toEqual([...halls].sort());
    expect(imports.length).toBeGreaterThan(2_000);
  });

  it('import only halls before them', () => {
    const against = imports.filter(({ from, to }) => {
      const [own, other] = [hallOf(from), hallOf(to)];
      if (own === other || own === '') return false;
      return (ranks.get(other) ?? Infinity) >= (ranks.get(own) ?? -1);
    });
    expect(against.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('have no rooms that import each other in a ring', () => {
    const rooms = new Map<string, Set<string>>();
    for (const { from, to } of imports) {
      const [own, other] = [roomOf(from), roomOf(to)];
      if (own !== other && own !== '') rooms.set(own, (rooms.get(own) ?? new Set()).add(other));
    }
    expect(ringsOf(rooms)).toEqual([]);
  });

  it('are drawn on the architecture page as they import each other', () => {
    const drawn = [...PAGE.matchAll(/^ {2}(\w+) --> (\w+)$/gm)].map(([, from, to]) => `${from} ${to}`);
    const computed = imports
      .map(({ from, to }) => [hallOf(from), hallOf(to)])
      .filter(([from, to]) => from !== to && from !== '');
    expect(drawn).toEqual([...new Set(computed.map((pair) => pair.join(' ')))].sort());
  });

  it(`have no folder above ${MOST_FILES} files`, () => {
    const sizes = new Map<string, number>();
    for (const file of files) {
      sizes.set(posix.dirname(file), (sizes.get(posix.dirname(file)) ?? 0) + 1);
    }
    const large = [...sizes].filter(([folder, count]) => count > MOST_FILES && !MAY_BE_LARGE.test(folder));
    expect(large).toEqual([]);
  });
});

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*'(\.[^']+)'/g)].flatMap(([, target = '']) => {
    const to = posix.join(posix.dirname(file), target).replace(/\.js$/, '.ts');
    return known.has(to) ? [{ from: file, to }] : [];
  });
}

/** The empty text for the files beside the halls, which start a process. */
function hallOf(file: string): string {
  const [, hall = '', ...rest] = file.split('/');
  return rest.length === 0 ? '' : hall;
}

/** Two folders deep; files beside the rooms of a hall are a room of their own. */
function roomOf(file: string): string {
  const [, hall = '', room = '', ...rest] = file.split('/');
  if (room === '') return '';
  return rest.length === 0 ? `${hall}/` : `${hall}/${room}`;
}

function orderOf(page: string): Map<string, number> {
  const line = /^domain ← .*$/m.exec(page)?.[0] ?? '';
  return new Map(line.split(' ← ').flatMap((names, rank) => [...names.matchAll(/\w+/g)].map(([name]) => [name, rank])));
}

/** A room that reaches itself, with the rooms on the way. */
function ringsOf(rooms: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const done = new Set<string>();
  const rings: string[] = [];
  const visit = (room: string, path: readonly string[]): void => {
    if (path.includes(room)) rings.push([...path.slice(path.indexOf(room)), room].join(' → '));
    else if (!done.has(room)) for (const next of rooms.get(room) ?? []) visit(next, [...path, room]);
    done.add(room);
  };
  for (const room of rooms.keys()) visit(room, []);
  return rings;
}
