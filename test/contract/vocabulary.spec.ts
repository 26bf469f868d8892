import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const EXPORT = /^export (?:abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
const WRITTEN_HERE = ['src', 'packages', 'test', 'bench', 'scripts', 'docs', 'docker'];
const TEXT = /(\.(ts|mts|mjs|cjs|md|ya?ml|conf|sql|txt|eta|css|env)|Dockerfile)$/;
const MADE_ELSEWHERE = /(^|\/)(node_modules|dist|\.made)\//;

const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => TEXT.test(file) && !MADE_ELSEWHERE.test(file))
    .map((file) => `${folder}/${file}`);

const sourceFiles = (): string[] => filesIn('src').filter((file) => file.endsWith('.ts'));

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Words that a term of the field has replaced, each with that term. */
const REPLACED: Readonly<Record<string, string>> = {
  beat: 'heartbeat',
  bereft: 'series without changes',
  crowd: 'concurrency limiter',
  crowded: 'shedding',
  crowding: 'shedding',
  debt: 'unsynced usage',
  debts: 'unsynced usage',
  digests: 'read models',
  doorstep: 'admission',
  farewell: 'graceful end',
  gate: 'request pipeline',
  generations: 'idle-expiring cache',
  handover: 'reconciliation',
  handovers: 'reconciliations',
  judge: 'evaluate, check',
  judges: 'evaluates, external checks',
  judging: 'evaluation',
  ledger: 'content handler, usage recorder',
  owed: 'unsynced',
  patience: 'time-outs',
  pulse: 'heartbeat',
  pulses: 'heartbeats',
  rederived: 'recomputed',
  seat: 'request slot',
  seats: 'request slots',
  shelf: 'index partition',
  shelves: 'index partitions',
  somebody: 'the caller, another process',
  spoken: 'covered',
  stirred: 'affected',
  strain: 'overload signal',
  stretch: 'index partition, range',
  stretches: 'index partitions, ranges',
  unsettled: 'unacknowledged',
  whoever: 'the caller, the operator',
};

/** Files in which such a word is correct: as a word of the domain, or in a list of renamed things. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // A word with which no test title may begin.
  'test/contract/house.spec.ts': ['whoever'],
  'src/serve/resources/search/stop-words.rule.ts': ['debt'],
  'test/unit/golden/en.txt': ['debt'],
  'test/unit/golden/ja.txt': ['debt'],
  'test/unit/golden/zh.txt': ['debt'],
  'test/unit/golden/service.en.txt': ['debt'],
  'test/unit/golden/signals.en.txt': ['debt'],
  'test/unit/golden/signals.ja.txt': ['debt'],
  'test/unit/golden/signals.zh.txt': ['debt'],
};

/** `redisTimeoutMs` and `redis-timeout` have the words redis, timeout and ms. */
function wordsOf(text: string): Set<string> {
  const spaced = text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');
  return new Set(spaced.toLowerCase().match(/[a-z]+/g) ?? []);
}

describe('The vocabulary of the repository', () => {
  it('contains no word that a term of the field has replaced', () => {
    const pages = readdirSync(ROOT).filter((file) => /\.(md|c?js|ya?ml)$/.test(file));
    const files = [...WRITTEN_HERE.flatMap(filesIn), ...pages, '.ci/run'].filter(
      (file) => !file.endsWith('.migration.ts') && file !== 'test/contract/vocabulary.spec.ts',
    );
    const found = files.flatMap((file) =>
      [...wordsOf(`${file} ${textOf(file)}`)]
        .filter((word) => Object.hasOwn(REPLACED, word))
        .map((word) => ({ file, word })),
    );
    const isAllowed = ({ file, word }: (typeof found)[number]): boolean => ALLOWED[file]?.includes(word) ?? false;
    const refused = found.filter((one) => !isAllowed(one));
    expect(refused.map(({ file, word }) => `${file}: ${word} → ${REPLACED[word] ?? ''}`)).toEqual([]);
    // Unused exceptions must be removed.
    expect(found.filter(isAllowed)).toHaveLength(Object.values(ALLOWED).flat().length);
  });

  it('exports each name from one file only', () => {
    const files = new Map<string, Set<string>>();
    for (const file of sourceFiles()) {
      for (const [, name = ''] of textOf(file).matchAll(EXPORT)) {
        files.set(name, (files.get(name) ?? new Set()).add(file));
      }
    }
    expect(files.size).toBeGreaterThan(500);
    const repeated = [...files].filter(([, exporters]) => exporters.size > 1);
    expect(repeated.map(([name, exporters]) => `${name}: ${[...exporters].join(', ')}`)).toEqual([]);
  });
});
