// `npm run package -- FOLDER`: copies what running needs, and nothing that only building or checking needs, into a new
// folder. It runs with Node alone, on this platform: `npm start` or `node dist/main.js` there.
import './require-node.mjs';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const OWN = [
  'dist',
  'data',
  'LICENSE',
  'README.md',
  'package.json',
  'scripts/build.mjs',
  'scripts/require-node.mjs',
  'packages/embedded-postgres/dist',
  'packages/embedded-postgres/package.json',
];
/** Types and source maps are half of the packages' bytes. Licences stay. */
const FOR_COMPILERS = /\.(?:map|[cm]?ts|tsbuildinfo|a)$/;
/** TypeORM's build for browsers; the compiler that @nestjs/swagger's plugin would use, which is not used. */
const UNUSED = ['node_modules/typeorm/browser', 'node_modules/typescript', 'node_modules/@tidemark/client'];

/** Copies the built service and its installed packages. @throws if the folder exists */
export function packageInto(folder) {
  if (existsSync(folder)) throw new Error(`${folder} exists`);
  const listed = spawnSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], { cwd: root, encoding: 'utf8' });
  const installed = listed.stdout
    .split('\n')
    .map((line) => path.relative(root, line))
    .filter((place) => place.startsWith('node_modules'));
  for (const place of [...OWN, ...installed]) copy(place, folder);
}

function copy(place, folder) {
  const from = path.join(root, place);
  cpSync(from, path.join(folder, place), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => {
      const inside = path.relative(root, source);
      // The packages within a package are listed on their own.
      if (source !== from && inside.startsWith('node_modules') && path.basename(source) === 'node_modules')
        return false;
      return !FOR_COMPILERS.test(source) && !UNUSED.includes(inside);
    },
  });
}

/** Bytes on the disk, by blocks as `du` counts. */
export function diskBytes(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).blocks * 512, 0);
}

if (process.argv[1] === import.meta.filename) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    console.error('usage: npm run package -- FOLDER');
    process.exit(2);
  }
  packageInto(path.resolve(folder));
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  console.log(
    `Tidemark ${version} in ${folder}: ${Math.round(diskBytes(folder) / 2 ** 20)} MB. Start it there: npm start`,
  );
}
