import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const CODE = join(ROOT, 'src/publish');
const PAGE = readFileSync(join(ROOT, 'docs/explanation/publishing.md'), 'utf8');

/** The statements of each file, without its comments. */
const sources = new Map(
  readdirSync(CODE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [
      file.replaceAll('\\', '/').replace(/\.ts$/, ''),
      readFileSync(join(CODE, file), 'utf8').replace(/\/\*\*[^]*?\*\/|\/\/.*|-- .*/g, ''),
    ]),
);

const created = [...sources.values()].flatMap((text) =>
  [...text.matchAll(/CREATE TEMP(?:ORARY)? TABLE (?:IF NOT EXISTS )?(\w+)/g)].map(([, table = '']) => table),
);

/** Rows of the page's table: name, content, files that write it, files that read it. */
const documented = [...PAGE.matchAll(/^\| `(\w+)` +\| (.+?) \| (.+?) \| (.+?) \|$/gm)].map(
  ([, table = '', , writers = '', readers = '']) => ({ table, writers: files(writers), readers: files(readers) }),
);

function files(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file).sort();
}

function filesWith(statement: RegExp, without?: RegExp): string[] {
  return [...sources]
    .filter(([, text]) => statement.test(without === undefined ? text : text.replace(without, '')))
    .map(([file]) => file)
    .sort();
}

describe('The temporary tables of a publication', () => {
  it('equal the list in docs/explanation/publishing.md', () => {
    expect(documented.map(({ table }) => table).sort()).toEqual([...created].sort());
  });

  it.each(documented)('are listed with the files that write and read $table', ({ table, writers, readers }) => {
    const written = new RegExp(
      `(?:INSERT INTO|UPDATE|DELETE FROM) ${table}\\b|CREATE TEMP TABLE ${table} (?:ON COMMIT DROP )?AS\\b|['\`]${table}(?:'| \\()`,
    );
    const read = new RegExp(`\\b(?:FROM|JOIN|USING) ${table}\\b`);
    expect(writers).toEqual(filesWith(written));
    expect(readers).toEqual(filesWith(read, new RegExp(`DELETE FROM ${table}\\b`, 'g')));
  });
});
