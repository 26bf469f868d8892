import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const PAGES = join(ROOT, 'docs/reference');

// Many answers a test, on a machine that may be busy.
jest.setTimeout(60_000);

describe('The pages of docs/reference', () => {
  it('say what the tables of errors, plans and licences say', () => {
    const fresh = mkdtempSync(join(tmpdir(), 'tidemark-reference-'));
    try {
      execFileSync(process.execPath, [join(ROOT, 'scripts/reference.mjs'), fresh]);
      const names = readdirSync(fresh).sort();
      expect(readdirSync(PAGES).sort()).toEqual(names);
      for (const name of names) {
        expect(readFileSync(join(PAGES, name), 'utf8')).toBe(readFileSync(join(fresh, name), 'utf8'));
      }
    } finally {
      rmSync(fresh, { recursive: true });
    }
  });
});
