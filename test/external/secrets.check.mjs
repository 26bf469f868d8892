import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { linesOf, root, runCommand, runTool } from './command.mjs';

const LINT = ['--secretlintrc', '.secretlintrc.json', '--maskSecrets', '--format', 'unix', '--no-color'];
const A_KEY = /t[ml]_[0-9A-Za-z]{36}/g;

/**
 * Checks the tree and the whole history for other services' secrets, by secretlint's rules, and for our own keys, by
 * their checksum.
 */
export const check = {
  name: 'secrets',
  verifies: 'No secret and no key of this service stands in a tracked file or anywhere in the history',
  async run() {
    const { isKeyText, makeKeyText } = await import('../../dist/serve/access/keys/key-text.js');
    const isBlind = await seesNothing(makeKeyText, isKeyText);
    if (isBlind !== null) return { found: [isBlind] };

    const tracked = await runCommand('git', ['ls-files', '-z']);
    const history = await runCommand('git', ['log', '-p', '--all', '--no-color', '--format=%H %an%n%s%n%b']);
    if (tracked.status !== 0 || history.status !== 0) return { skipped: 'this is no clone: there is no history' };
    // The listing still contains a file that is deleted but not committed.
    const files = await Promise.all(tracked.output.split('\0').filter(Boolean).map(readTracked));
    const held = files.filter(({ text }) => text !== null);

    const ours = [
      ...held.flatMap(({ name, text }) => keysIn(text, isKeyText).map(() => `${name}: a key of this service`)),
      ...keysIn(history.output, isKeyText).map(() => 'history: a key of this service'),
    ];
    const inTree = await runTool('secretlint', [...LINT, ...held.map(({ name }) => name)]);
    const inHistory = await lintText(history.output);
    return {
      found: [...ours, ...[inTree, inHistory].flatMap(complaints)],
      said: `${held.length} files and ${Math.round(history.output.length / 1024)} kB of history`,
    };
  },
};

/** First checks that it detects planted secrets, which it generates. */
async function seesNothing(makeKeyText, isKeyText) {
  const token = `ghp_${randomBytes(40)
    .toString('base64')
    .replaceAll(/[^A-Za-z0-9]/g, '0')
    .slice(0, 36)}`;
  if ((await lintText(`token: ${token}\n`)).status === 0) return 'secretlint does not see a token made for it';
  if (keysIn(`+ ${makeKeyText()}`, isKeyText).length !== 1) return 'a key made for the purpose is not seen';
  return null;
}

function lintText(text) {
  return runTool('secretlint', [...LINT, '--stdinFileName', 'history.txt'], { input: text });
}

function keysIn(text, isKeyText) {
  return [...text.matchAll(A_KEY)].filter(([key]) => isKeyText(key) || isKeyText(key, 'link'));
}

async function readTracked(name) {
  return { name, text: await readFile(path.join(root, name), 'latin1').catch(() => null) };
}

function complaints({ status, output, errors }) {
  return status === 0 ? [] : linesOf(output || errors).slice(0, 20);
}
