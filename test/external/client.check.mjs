import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { linesOf, runTool } from './command.mjs';

const folder = path.join(import.meta.dirname, 'client');
const made = path.join(folder, '.made');

/** Generates types from the document, compiles calls against them, and runs these against the service. */
export const check = {
  name: 'client',
  verifies: 'A typed client generated from the document compiles under strict TypeScript and calls every route',
  needsService: true,
  async run({ service }) {
    const document = await (await fetch(`${service.url}/docs/openapi.json`)).json();
    await rm(made, { recursive: true, force: true });
    await mkdir(made);
    const source = path.join(made, 'openapi.json');
    await writeFile(source, JSON.stringify(document));
    const types = ['--default-non-nullable', 'false', '-o', path.join(made, 'api.d.ts')];
    const generated = await runTool('openapi-typescript', [source, ...types]);
    if (generated.status !== 0) return { found: linesOf(generated.output + generated.errors) };
    const compiled = await runTool('tsc', ['-p', folder]);
    if (compiled.status !== 0) return { found: linesOf(compiled.output) };

    const { callAll } = await import(pathToFileURL(path.join(made, 'calls.js')).href);
    const { called, figures } = await callAll(service.url, service.key);
    const missed = Object.keys(document.paths).filter((one) => !called.includes(one));
    return {
      found: missed.map((one) => `${one} was not called`),
      said: `${called.length} routes, ${figures} typed figures`,
    };
  },
};
