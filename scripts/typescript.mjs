// Lets Node run the TypeScript sources: `node --import ./scripts/typescript.mjs src/main.ts`. Types are dropped, not checked.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transform } from '@swc/core';

const configFile = path.join(import.meta.dirname, '../.swcrc');

if (isMainThread) register(import.meta.url);

/** Imports name the JavaScript file that the build writes for a TypeScript file. */
export async function resolve(specifier, context, next) {
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && context.parentURL?.endsWith('.ts')) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const settings = { filename, configFile, sourceMaps: 'inline' };
  const { code } = await transform(await readFile(filename, 'utf8'), settings);
  return { format: 'module', source: code, shortCircuit: true };
}
