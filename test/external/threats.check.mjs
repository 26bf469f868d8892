import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './command.mjs';

const PAGE = 'docs/explanation/security.md';
/** A file of tests and the titles that follow it: `test/http/keys.spec.ts` “one”, “another”. */
const NAMED = /`(test\/[\w./-]+)`((?:,?\s+“[^”]+”)*)/g;

/** A claim is only as good as its test, so each file that the page names must exist and contain each title. */
export const check = {
  name: 'threats',
  verifies: `Every test that ${PAGE} names exists under that title`,
  async run() {
    const page = readFileSync(path.join(root, PAGE), 'utf8');
    const found = [];
    let titles = 0;
    for (const [, file, named] of page.matchAll(NAMED)) {
      if (!existsSync(path.join(root, file))) {
        found.push(`${file} is not there`);
        continue;
      }
      if (named === '') continue;
      const source = flat(readFileSync(path.join(root, file), 'utf8'));
      for (const [, title] of named.matchAll(/“([^”]+)”/g)) {
        titles += 1;
        if (!source.includes(flat(title))) found.push(`${file} has no test “${title}”`);
      }
    }
    if (titles === 0) found.push('names no test');
    return { found, said: `${titles} titles` };
  },
};

/** Removes the line breaks and escapes that differ between a page and a source file. */
function flat(text) {
  return text.replaceAll('\\', '').replaceAll(/\s+/g, ' ');
}
