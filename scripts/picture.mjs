// `npm run picture`: draws the imports between the halls of src/ into docs/explanation/architecture.md, by the boundary checker.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const page = path.join(root, 'docs/explanation/architecture.md');
const cruise = ['src', '--config', '.dependency-cruiser.cjs', '--output-type', 'json'];
const halls = ['--collapse', '^src/[^/]+', '--include-only', '^src/[^/]+/'];
const program = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const { modules } = JSON.parse(execFileSync(process.execPath, [program, ...cruise, ...halls], { cwd: root }));

const name = (folder) => folder.replace(/^src\//, '');
const arrows = modules
  .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => [name(source), name(resolved)]))
  .filter(([from, to]) => from !== to)
  .map(([from, to]) => `  ${from} --> ${to}`);
const picture = ['```mermaid', 'flowchart RL', ...[...new Set(arrows)].sort(), '```'].join('\n');
const text = readFileSync(page, 'utf8');
writeFileSync(page, text.replace(/<!-- picture -->(\n+```mermaid[\s\S]*?```)?/, `<!-- picture -->\n\n${picture}`));
