import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryStore } from '../../packages/client/src/etag-store.js';
import { secondsUntilAdmitted } from '../../packages/client/src/pacing.js';

const ROOT = join(__dirname, '../..');
const SOURCES = join(ROOT, 'packages/client/src');
const GENERATED = 'api.ts';
/** A client that has more to know than this has a service that is hard to use. */
const MOST_LINES = 400;

describe('The client package', () => {
  it('has at most 400 lines by hand, and needs no other package', () => {
    const written = readdirSync(SOURCES).filter((name) => name !== GENERATED);
    const lines = written.map((name) => readFileSync(join(SOURCES, name), 'utf8').split('\n').length - 1);
    expect(lines.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(MOST_LINES);
    const described = JSON.parse(readFileSync(join(ROOT, 'packages/client/package.json'), 'utf8')) as object;
    expect(Object.keys(described).filter((name) => /dependencies/i.test(name))).toEqual([]);
  });

  it('keeps in memory the answers that were used last', () => {
    const store = new MemoryStore(2);
    for (const url of ['a', 'b']) store.set(url, { etag: url, body: url });
    store.get('a');
    store.set('c', { etag: 'c', body: 'c' });
    expect(['a', 'b', 'c'].map((url) => store.get(url)?.body)).toEqual(['a', undefined, 'c']);
  });

  it.each([
    ['"minute";r=0;t=12, "day";r=9;t=43200', 12],
    ['"minute";r=3;t=12, "day";r=0;t=43200', 0],
    ['', 0],
  ])('reads from the header %s how long the minute is spent', (ratelimit, seconds) => {
    expect(secondsUntilAdmitted(new Headers({ ratelimit }))).toBe(seconds);
  });
});
