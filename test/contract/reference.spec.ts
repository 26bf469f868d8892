import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const PAGES = join(ROOT, 'docs/reference');
const GENERATED = 'scripts/reference.mjs';

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(md|json)$/.test(name))
    .sort();

describe('The pages of docs/reference', () => {
  it('state what the tables of errors, plans and licences contain, and the schemas of the catalogue', () => {
    const fresh = mkdtempSync(join(tmpdir(), 'tidemark-reference-'));
    try {
      execFileSync(process.execPath, [join(ROOT, 'scripts/reference.mjs'), fresh]);
      const names = filesIn(fresh);
      const generated = filesIn(PAGES).filter((name) => readFileSync(join(PAGES, name), 'utf8').includes(GENERATED));
      expect(generated).toEqual(names);
      for (const name of names) {
        expect(readFileSync(join(PAGES, name), 'utf8')).toBe(readFileSync(join(fresh, name), 'utf8'));
      }
    } finally {
      rmSync(fresh, { recursive: true });
    }
  });
});
