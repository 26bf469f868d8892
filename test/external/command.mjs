import { spawn } from 'node:child_process';
import path from 'node:path';

export const root = path.join(import.meta.dirname, '../..');

/**
 * Runs a program to its end, in the repository's folder or in another one.
 * @param {string} program
 * @param {string[]} args
 * @param {{ input?: string, environment?: Record<string, string>, folder?: string }} [given]
 * @returns {Promise<{ status: number, output: string, errors: string }>} `output` without what went to the error stream
 */
export function runCommand(program, args, { input = '', environment = {}, folder = root } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, env: { ...process.env, ...environment } });
    let [output, errors] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk) => (output += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk) => (errors += chunk));
    // A program may close its input before it has read everything.
    child.stdin.on('error', () => undefined).end(input);
    child.on('error', reject).on('close', (status) => resolve({ status: status ?? 1, output, errors }));
  });
}

/** The program of a development package, by its name in `node_modules/.bin`. */
export function runTool(name, args, given) {
  return runCommand(path.join(root, 'node_modules/.bin', name), args, given);
}

/** The lines of a text that are not empty. */
export function linesOf(text) {
  return text.split('\n').filter((line) => line.trim() !== '');
}
