// `npm run check`: formatting, lint, types, boundaries and the budget, all at once. Prints the output of those that fail.
import './require-node.mjs';
import { spawn } from 'node:child_process';

const CHECKS = ['format:check', 'lint', 'types', 'boundaries', 'budget'];

const results = await Promise.all(CHECKS.map(run));
for (const { check, status, output } of results) console.log(`${status === 0 ? '✓' : '✗'}  ${check}${output}`);
process.exit(results.every(({ status }) => status === 0) ? 0 : 1);

function run(check) {
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', check], { shell: process.platform === 'win32' });
    let output = '';
    child.stdout.on('data', (bytes) => (output += bytes));
    child.stderr.on('data', (bytes) => (output += bytes));
    child.on('close', (status) => resolve({ check, status, output: status === 0 ? '' : `\n${output}` }));
  });
}
