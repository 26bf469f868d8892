import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { linesOf, root, runTool } from './command.mjs';

const LINTERS = [
  { name: 'Spectral', tool: 'spectral', args: ['lint', '-r', '.spectral.yaml', '--fail-severity=warn', '-q'] },
  { name: 'Redocly', tool: 'redocly', args: ['lint', '--config', 'redocly.yaml', '--format', 'stylish'] },
];

const RULES = ['.spectral.yaml', 'redocly.yaml'];

/** Checks the served document by the rules of two linters: `.spectral.yaml`, `redocly.yaml`. */
export const check = {
  name: 'document',
  verifies: 'Spectral, with its OWASP rules, and Redocly find nothing in the OpenAPI document',
  needsService: true,
  async run({ service }) {
    const folder = await mkdtemp(path.join(tmpdir(), 'tidemark-document-'));
    const file = path.join(folder, 'openapi.json');
    try {
      const text = await (await fetch(`${service.url}/docs/openapi.json`)).text();
      await writeFile(file, text);
      const { paths } = JSON.parse(text);
      const found = [];
      for (const { name, tool, args } of LINTERS) {
        const { status, output, errors } = await runTool(tool, [...args, file], {
          environment: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
        });
        if (status !== 0) found.push(`${name}:`, ...linesOf(output || errors));
      }
      const off = (await Promise.all(RULES.map(switchedOff))).flat();
      const size = `${Object.keys(paths).length} paths, ${Math.round(text.length / 1024)} kB`;
      return { found, said: `${size}: 0 errors, 0 warnings; off, each with its reason: ${off.join(', ')}` };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function switchedOff(file) {
  const { rules } = parse(await readFile(path.join(root, file), 'utf8'));
  return Object.keys(rules).filter((rule) => rules[rule] === false || rules[rule] === 'off');
}
