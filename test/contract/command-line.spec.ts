import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { CliContext } from '../../src/commands/context/cli-context.js';
import { createProgram } from '../../src/commands/program.js';
import { commandWordsOf } from '../../src/commands/terminal/command-words.js';
import { describeIf, isInstalled } from '../support/needs.js';

const DIST = join(__dirname, '../../dist');
const IMPORT = /^(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]/gm;

/** Packages that a module of `dist` imports at once, itself or by others. */
function packagesOf(entry: string): Set<string> {
  const [packages, seen, open] = [new Set<string>(), new Set<string>(), [join(DIST, entry)]];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (name.startsWith('.')) open.push(join(dirname(file), name));
      else if (!name.startsWith('node:')) packages.add(name);
    }
  }
  return packages;
}

const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => void (text += part) }).outputHelp();
  return text;
}

const bash = (...words: string[]): string[] => {
  const line = words.map((word) => `'${word}'`).join(' ');
  const script = `source <('${process.execPath}' '${join(DIST, 'cli.js')}' completion bash)
    COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _tidemark; echo "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split(' ');
};

const printed = (shell: string): string =>
  execFileSync(process.execPath, [join(DIST, 'cli.js'), 'completion', shell], { encoding: 'utf8' });

/** What fish offers after a line. */
const fish = (line: string): string[] => {
  const script = `${printed('fish')}\ncomplete -C '${line}'`;
  const text = execFileSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' });
  return text
    .trim()
    .split('\n')
    .map((one) => one.split('\t')[0] ?? '');
};

/** What zsh is told to offer at the last word: the function runs with its own call to list words replaced. */
const zsh = (...words: string[]): string[] => {
  const script = `compdef() { : }
    _describe() { print -rl -- "\${(@)offered%%:*}" }
    ${printed('zsh')}
    words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}; _tidemark`;
  return execFileSync('zsh', ['-f', '-c', script], { encoding: 'utf8' }).trim().split('\n');
};

describe('The command line', () => {
  const program = createProgram(new CliContext(false));

  it('imports for a help no more than its own small libraries', () => {
    expect([...packagesOf('cli.js')].sort()).toEqual(['commander', 'fastest-levenshtein']);
  });

  it('has a description and examples for every command, with its own options', () => {
    for (const command of leavesOf(program)) {
      expect(command.description()).not.toBe('');
      const [, examples = ''] = helpOf(command).split(/^Examples?:$/m);
      const given = [...examples.matchAll(/ (--[a-z-]+)/g)].map(([, option]) => option);
      const known = command.options.map(({ long }) => long);
      expect({ name: command.name(), lines: examples.match(/^ {2}\$ .*\btidemark /gm) }).not.toEqual({
        name: command.name(),
        lines: null,
      });
      expect({ name: command.name(), unknown: given.filter((option) => !known.includes(option)) }).toEqual({
        name: command.name(),
        unknown: [],
      });
    }
  });

  it('completes commands, options and closed sets of values from its own tree', () => {
    expect(bash('tidemark', 'acc')).toEqual(['accounts']);
    expect(bash('tidemark', 'accounts', 'create', '--plan', '')).toEqual(['free', 'pro', 'intelligence', 'developer']);
    expect(bash('tidemark', 'import', 'world')).toEqual(['worldbank', 'worldbank-pinksheet']);
    const paths = commandWordsOf(program).map(({ at }) => at);
    expect(paths).toEqual(expect.arrayContaining(['', 'sync history', 'versions retract', 'get']));
  });
});

describeIf(isInstalled('fish'), 'fish is not installed')('The completion of fish', () => {
  it('offers the same, and files only where a command takes a word of the user’s own', () => {
    expect(fish('tidemark acc')).toEqual(['accounts']);
    expect(fish('tidemark accounts create --plan ').sort()).toEqual(
      ['free', 'pro', 'intelligence', 'developer'].sort(),
    );
    expect(fish('tidemark import world')).toEqual(['worldbank', 'worldbank-pinksheet']);
    expect(fish('tidemark import worldbank pack')).toContain('package.json');
    expect(fish('tidemark pack')).toEqual(['']);
  });
});

describeIf(isInstalled('zsh'), 'zsh is not installed')('The completion of zsh', () => {
  it('offers the same', () => {
    expect(zsh('tidemark', '')).toContain('accounts');
    expect(zsh('tidemark', 'accounts', 'create', '--plan', '')).toEqual(['free', 'pro', 'intelligence', 'developer']);
    expect(zsh('tidemark', 'import', '')).toContain('worldbank-pinksheet');
    expect(zsh('tidemark', 'versions', '')).toContain('retract');
  });
});
