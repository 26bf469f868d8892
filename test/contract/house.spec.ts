import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');
const LONGEST = 250;
const FORBIDDEN = ['common', 'shared', 'lib', 'utils', 'util', 'helpers'];
const ROLES =
  'module controller service entity schema guard interceptor filter decorator tool importer rule command migration spec';

const OWN = join('test', 'contract', 'house.spec.ts');

const filesOf = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => join(folder, file));

const sources = filesOf('src', /\.ts$/);
const suites = filesOf('test', /\.spec\.ts$/);
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

describe('The house', () => {
  it('has no source file above 250 lines, but for migrations', () => {
    const long = sources.filter(
      (file) => !file.endsWith('.migration.ts') && read(file).split('\n').length - 1 > LONGEST,
    );
    expect(long).toEqual([]);
  });

  it('names folders for what they are about', () => {
    const folders = new Set(sources.flatMap((file) => dirname(file).split(/[\\/]/)));
    expect(FORBIDDEN.filter((name) => folders.has(name))).toEqual([]);
  });

  it('names files subject.role in kebab case, with the roles of the list', () => {
    const roles = ROLES.replaceAll(' ', '|');
    const form = new RegExp(`^(\\d+-)?[a-z][a-z0-9]*(-[a-z0-9]+)*(\\.(${roles}))?\\.ts$`);
    expect([...sources, ...suites].map((file) => basename(file)).filter((name) => !form.test(name))).toEqual(
      [],
    );
  });

  it('exports by name, with no barrel but the two lists', () => {
    expect(sources.filter((file) => /^export default/m.test(read(file)))).toEqual([]);
    const barrels = sources.filter((file) => /^export \* from/m.test(read(file)));
    expect(barrels).toEqual([]);
    expect(sources.filter((file) => basename(file) === 'index.ts')).toEqual([
      join('src', 'resources', 'index.ts'),
    ]);
  });

  it('leaves no exception to the rules in the code', () => {
    const marks = /eslint-disable|@ts-ignore|@ts-nocheck|\bTODO\b|\bFIXME\b|\bas any[;,)\]]/;
    expect(sources.filter((file) => marks.test(read(file)))).toEqual([]);
  });

  it('tests without sleeping', () => {
    const waits = filesOf('test', /\.ts$/).filter((file) =>
      /\bsleep\(|(?<!\.)\bsetTimeout\b/.test(read(file)),
    );
    expect(waits.filter((file) => file !== OWN)).toEqual([
      // The pause between two looks at what a test waits for.
      join('test', 'support', 'until.ts'),
    ]);
  });

  it('titles its tests in the present tense, and replaces no code of its own', () => {
    const others = suites.filter((file) => file !== OWN);
    expect(others.filter((file) => /\bit\((['"`])should /.test(read(file)))).toEqual([]);
    expect(others.filter((file) => /jest\.(mock|spyOn)\(/.test(read(file)))).toEqual([]);
  });

  it('names each folder of the code in its map, and no other', () => {
    const map = [...read('docs/architecture.md').matchAll(/^\| `([a-z]+)\/`/gm)].map(([, folder]) => folder);
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((one) =>
      one.isDirectory(),
    );
    expect(map.sort()).toEqual(folders.map(({ name }) => name).sort());
  });

  it('links in its documents only to files that are there', () => {
    const pages = [
      ...filesOf('docs', /\.md$/),
      ...(existsSync(join(ROOT, 'README.md')) ? ['README.md'] : []),
    ];
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#|\/|mailto:)([^)#\s]+)/g)]
        .map(([, target]) => join(dirname(page), target ?? ''))
        .filter((target) => !existsSync(join(ROOT, target)))
        .map((target) => `${page} → ${target}`),
    );
    expect(broken).toEqual([]);
  });
});
