import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { CliContext } from '../../src/commands/context/cli-context.js';
import { createProgram } from '../../src/commands/program.js';

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
});
