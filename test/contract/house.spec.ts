import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');
const LONGEST = 250;
const FORBIDDEN = ['common', 'shared', 'lib', 'utils', 'util', 'helpers'];
const ROLES =
  'module controller service entity schema guard interceptor filter decorator tool importer rule rows view command migration middleware pipe spec';
/** The roles of a resource's files; CONTRIBUTING.md describes them. */
const RESOURCE_ROLES = ['module', 'controller', 'service', 'entity', 'schema', 'rows', 'view', 'rule'];

const OWN = join('test', 'contract', 'house.spec.ts');
const TOGETHER = join('test', 'external', 'together.mjs');
/** A title and its callback, of `it(…)` and `it.each(…)(…)`. */
const TITLE = /(?:\bit|\))\(\s*(['"`])((?:(?!\1).)+)\1,\s*(?:async\b|\()/g;
/** A title begins with a verb, because `describe` is its subject: a word that begins a phrase makes a fragment. */
const FRAGMENT =
  /^(should|an?|the|and|or|but|with|without|that|where|who|whoever|what|which|when|in|by|for|as|until|to|nobody) /;

const filesOf = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => join(folder, file));

const sources = filesOf('src', /\.ts$/);
const suites = filesOf('test', /\.spec\.ts$/);
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

describe('The code base', () => {
  it('has no source file above 250 lines', () => {
    const files = [...sources, ...filesOf('src/store/schema', /\.sql$/)];
    expect(files.filter((file) => read(file).split('\n').length - 1 > LONGEST)).toEqual([]);
  });

  it('names folders for their subject', () => {
    const folders = new Set(sources.flatMap((file) => dirname(file).split(/[\\/]/)));
    expect(FORBIDDEN.filter((name) => folders.has(name))).toEqual([]);
  });

  it('names files subject.role in kebab case, with the roles of the list', () => {
    const roles = ROLES.replaceAll(' ', '|');
    const form = new RegExp(`^(\\d+-)?[a-z][a-z0-9]*(-[a-z0-9]+)*(\\.(${roles}))?\\.ts$`);
    expect([...sources, ...suites].map((file) => basename(file)).filter((name) => !form.test(name))).toEqual([]);
  });

  it('gives every file of a resource one of the roles that CONTRIBUTING.md lists', () => {
    const form = new RegExp(`\\.(${RESOURCE_ROLES.join('|')})\\.ts$`);
    const roleless = sources.filter(
      (file) => /^src.serve.resources./.test(file) && basename(file) !== 'index.ts' && !form.test(file),
    );
    expect(roleless.map((file) => `${file} has none of the roles ${RESOURCE_ROLES.join(', ')}`)).toEqual([]);
    const listed = [...read('CONTRIBUTING.md').matchAll(/^\| `\S+\.([a-z]+)\.ts`/gm)].map(([, role]) => role);
    expect(listed).toEqual(RESOURCE_ROLES);
  });

  it('exports by name, without barrels', () => {
    expect(sources.filter((file) => /^export default/m.test(read(file)))).toEqual([]);
    const barrels = sources.filter((file) => /^export \* from/m.test(read(file)));
    expect(barrels).toEqual([]);
    expect(sources.filter((file) => basename(file) === 'index.ts')).toEqual([
      join('src', 'serve', 'resources', 'index.ts'),
    ]);
  });

  it('keeps no file that git ignores, thus none that a build makes', () => {
    const list = ['ls-files', '--cached', '--ignored', '--exclude-standard'];
    expect(execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' })).toBe('');
  });

  it('contains no exception to its own rules', () => {
    const marks = /eslint-disable|@ts-ignore|@ts-nocheck|\bTODO\b|\bFIXME\b|\bas any[;,)\]]/;
    expect(sources.filter((file) => marks.test(read(file)))).toEqual([]);
  });

  it('asks which language it writes only in the voice of each', () => {
    const branching = sources.filter((file) => /locale\s*[!=]==?\s*'/.test(read(file)));
    expect(branching).toEqual([]);
  });

  it('lists every migration in the data source', () => {
    const listed = read('src/store/data-source.ts');
    const migrations = sources.filter((file) => file.endsWith('.migration.ts'));
    const unlisted = migrations.filter((file) => !listed.includes(`./schema/migrations/${basename(file, '.ts')}.js`));
    expect(unlisted.map((file) => `src/store/data-source.ts does not list ${file}`)).toEqual([]);
  });

  it('composes SQL from named parts, and leaves what was known on a day to known_on', () => {
    const spelt = /valid_from <=? (\S+)\s+AND \(\S*valid_to IS NULL OR \S*valid_to >=? \1\)/;
    const edited = /\b[A-Z][A-Z_]+\.replace(All)?\(\s*(\/\\w|'(SELECT|FROM|WHERE|ORDER) )/;
    const spelling = (pattern: RegExp) => (file: string) => pattern.test(read(file));
    expect(sources.filter(spelling(spelt))).toEqual([]);
    expect(sources.filter(spelling(edited))).toEqual([]);
  });

  it('parses the request target in one place', () => {
    const apart = /\b(parseQuery|queryIn|normalizeTarget)\(|split\('\?'|new URL\((request|address|url)/;
    expect(sources.filter((file) => /^src.serve.http|^src.assistants/.test(file) && apart.test(read(file)))).toEqual([
      join('src', 'serve', 'http', 'request', 'begin-request.ts'),
      join('src', 'serve', 'http', 'request', 'query-parser.ts'),
      join('src', 'serve', 'http', 'request', 'request-target.ts'),
    ]);
  });

  it('has no test that sleeps', () => {
    const waits = filesOf('test', /\.ts$/).filter((file) => /\bsleep\(|(?<!\.)\bsetTimeout\b/.test(read(file)));
    expect(waits.filter((file) => file !== OWN)).toEqual([
      // Plays a history at its times.
      join('test', 'limits', 'history-run.ts'),
      // The interval of a polling loop.
      join('test', 'support', 'until.ts'),
    ]);
  });

  it('has test titles that complete the sentence of their subject, and no mocks', () => {
    const others = suites.filter((file) => file !== OWN);
    const fragments = others.flatMap((file) =>
      [...read(file).matchAll(TITLE)]
        .map(([, , title = '']) => title)
        .filter((title) => FRAGMENT.test(title))
        .map((title) => `${file}: ${title}`),
    );
    expect(fragments).toEqual([]);
    expect(others.filter((file) => /jest\.(mock|spyOn)\(/.test(read(file)))).toEqual([]);
  });

  it('has every test that the run with two instances leaves out by its title', () => {
    const left = [...read(TOGETHER).matchAll(/file: '([^']+)',\s+tests: \[([^\]]+)\]/g)];
    const missing = left.flatMap(([, file = '', tests = '']) => {
      const suite = read(join('test', `${file}.spec.ts`));
      // The first colon precedes the row of an `it.each`.
      return [...tests.matchAll(/'([^']+)'/g)].filter(([, title = '']) => !suite.includes(title.replace(/: .*/, '')));
    });
    expect(left.length).toBeGreaterThan(3);
    expect(missing.map(([title]) => title)).toEqual([]);
  });

  it('has a row in the map of the architecture page for each folder, and no other row', () => {
    const map = [...read('docs/explanation/architecture.md').matchAll(/^\| `([a-z]+)\/`/gm)].map(
      ([, folder]) => folder,
    );
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((one) => one.isDirectory());
    expect(map.sort()).toEqual(folders.map(({ name }) => name).sort());
  });

  it('has documents whose links lead to existing files', () => {
    const pages = [...filesOf('docs', /\.md$/), ...(existsSync(join(ROOT, 'README.md')) ? ['README.md'] : [])];
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#|\/|mailto:)([^)#\s]+)/g)]
        .map(([, target]) => join(dirname(page), target ?? ''))
        .filter((target) => !existsSync(join(ROOT, target)))
        .map((target) => `${page} → ${target}`),
    );
    expect(broken).toEqual([]);
  });
});
