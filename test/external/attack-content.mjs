import { cp, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root, runCommand } from './command.mjs';

/** What the figures of `examples/own-figures` are called here: names of members that every object has. */
const NAMES = [
  ['nordwind-prices', 'valueof'],
  ['nordwind-shops', 'constructor'],
  ['nordwind-coffee', 'valueof'],
  ['"nordwind-business"', '"constructor"'],
  ['"nordwind"', '"constructor"'],
  ['"shop"', '"constructor"'],
  ['SHOPS', '__proto__'],
  ['SALES', 'hasOwnProperty'],
  ['STAFF', 'toString'],
  ['ONLINE', 'constructor'],
  ['store count', '__proto__'],
  ['店铺数量', 'hasOwnProperty'],
  ['Shops of Nordwind', '__proto__'],
  ['Sales of Nordwind', 'hasOwnProperty'],
  ['Nordwind', 'constructor'],
];
/** The shares and prices are printed with this many decimals: more than `Intl` writes on Node 20. */
const DECIMALS = 40;
const SMALL = `0.${'0'.repeat(DECIMALS - 2)}15`;

/**
 * Writes a catalogue whose keys, codes and names are those of every object's members.
 * @returns {Promise<{ catalogue: string, figures: { publisher: string, folder: string }[] }>}
 */
export async function writeContent(folder) {
  const target = await mkdtemp(path.join(folder, 'tidemark-content-'));
  await cp(path.join(root, 'examples/own-figures'), target, { recursive: true });
  for (const name of await readdir(target, { recursive: true })) {
    if (!/\.(json|csv)$/.test(name)) continue;
    const text = await readFile(path.join(target, name), 'utf8');
    const renamed = NAMES.reduce((all, [from, to]) => all.replaceAll(from, to), text);
    await writeFile(path.join(target, name), renamed.split('\n').map(withDecimals).join('\n'));
  }
  return {
    catalogue: path.join(target, 'catalogue'),
    figures: [
      { publisher: 'constructor', folder: path.join(target, 'figures') },
      { publisher: 'valueof', folder: path.join(target, 'prices') },
    ],
  };
}

/** Imports the figures into the database of a running service. */
export async function importContent({ catalogue, figures }, dataDir) {
  for (const { publisher, folder } of figures) {
    const { status, output, errors } = await runCommand(
      process.execPath,
      [path.join(root, 'dist/cli.js'), 'import', publisher, folder, '--accept', '--reason', 'attack'],
      { environment: { DATA_DIR: dataDir, CATALOGUE_DIR: catalogue, LOG_LEVEL: 'warn' } },
    );
    if (status !== 0) throw new Error(`The import of ${publisher} ended with ${status}: ${output}${errors}`);
  }
}

/** One share in Japan is as small as 40 decimals allow. */
function withDecimals(line) {
  if (line.startsWith('2026-06,JP,constructor,')) return `2026-06,JP,constructor,${SMALL}`;
  return line.replace(
    /^(\S+,constructor,\d+|\S+,RETURNS,\d+|[\d-]+;\d+)([.,])(\d+)$/,
    (_, start, mark, decimals) => `${start}${mark}${decimals.padEnd(DECIMALS, '0')}`,
  );
}
