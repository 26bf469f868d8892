import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { linesOf, root, runCommand, runTool } from './command.mjs';

const STRICT = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
};

/** Packs the client, installs it from the file into an empty project, and compiles and runs the code of its README. */
export const check = {
  name: 'package',
  verifies: 'The packed client package installs, and the code of its README compiles strictly and runs',
  needsService: true,
  async run({ service }) {
    const folder = await mkdtemp(path.join(tmpdir(), 'tidemark-package-'));
    const inFolder = (file, text) => writeFile(path.join(folder, file), text);
    try {
      const packed = await runCommand('npm', ['pack', '--json', '--pack-destination', folder], {
        folder: path.join(root, 'packages/client'),
      });
      if (packed.status !== 0) return { found: linesOf(packed.errors) };
      const [{ filename, size, files }] = JSON.parse(packed.output);
      await inFolder('package.json', JSON.stringify({ name: 'scratch', private: true, type: 'module' }));
      const installed = await runCommand('npm', ['install', '--offline', '--no-audit', `./${filename}`], { folder });
      if (installed.status !== 0) return { found: linesOf(installed.errors) };
      await mkdir(path.join(folder, 'node_modules/@types'));
      for (const name of ['@types/node', 'undici-types']) {
        await cp(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name), { recursive: true });
      }
      await inFolder('tsconfig.json', JSON.stringify({ compilerOptions: STRICT, files: ['readme.ts'] }));
      await inFolder('readme.ts', codeOf(await readFile(path.join(root, 'packages/client/README.md'), 'utf8')));
      const compiled = await runTool('tsc', ['-p', folder]);
      if (compiled.status !== 0) return { found: linesOf(compiled.output) };
      const ran = await runCommand(process.execPath, ['readme.js'], {
        folder,
        environment: { TIDEMARK_URL: service.url, TIDEMARK_KEY: service.key },
      });
      const lines = linesOf(ran.output);
      const found = ran.status === 0 && lines.length > 5 ? [] : linesOf(ran.errors || 'The README printed nothing');
      return {
        found,
        said: `${files.length} files, ${Math.round(size / 1024)} kB packed; the README printed ${lines.length} lines`,
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** All code blocks as one module. */
function codeOf(readme) {
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
  return blocks.join('\n');
}
