import type { Read } from '../../src/store/snapshots.js';
import { ChangeDocuments } from '../../src/serve/resources/changes/change-documents.service.js';
import type { ChangeRow } from '../../src/serve/resources/changes/change.rows.js';
import type { UrlBuilder } from '../../src/serve/responses/url-builder.service.js';

const urls = { links: (locale: string, path: readonly string[]) => ({ url: `${locale}/${path.join('/')}` }) };
const rowAt = (position: number, withdrawnAt: Date | null = null): ChangeRow => ({
  id: `chg_${position}`,
  position,
  ranking: 0,
  occurredAt: new Date(0),
  withdrawnAt,
});

/** A database of which every position has a document but `withheld`. */
function database(withheld: readonly number[] = []) {
  const state = { newest: 1, reads: [] as number[][] };
  const read = ((_: string, [positions = []]: readonly number[][]) => {
    state.reads.push([...positions]);
    const shown = positions.filter((position) => !withheld.includes(position));
    const rows = shown.map((position) => ({
      newest: state.newest,
      position,
      document: `{"at":${position},"in":${state.newest}}`,
      sources: ['ecb'],
      subject: null,
      periods: ['2025'],
    }));
    return Promise.resolve(rows.length > 0 ? rows : [{ newest: state.newest, position: null }]);
  }) as unknown as Read;
  return { state, read };
}

describe('Documents of changes', () => {
  const make = () => new ChangeDocuments(urls as unknown as UrlBuilder);
  const texts = (found: Awaited<ReturnType<ChangeDocuments['of']>>) =>
    [...found].map(([position, { json }]) => [position, json.bytes.toString()]);

  it('are read once for each data version and locale, with the links of the instance', async () => {
    const { state, read } = database();
    const documents = make();
    const [one, two] = [rowAt(1), rowAt(2)];
    const first = await documents.of(read, 1, [one], 'en');
    expect(texts(first)).toEqual([[1, '{"id":"chg_1","url":"en/changes/chg_1","at":1,"in":1}']]);
    expect(texts(await documents.of(read, 1, [one, two], 'en')).map(([position]) => position)).toEqual([1, 2]);
    await documents.of(read, 1, [two, one], 'en');
    await documents.of(read, 1, [one], 'ja');
    expect(state.reads).toEqual([[1], [2], [1]]);
    state.newest = 2;
    expect(texts(await documents.of(read, 2, [one], 'en'))[0]?.[1]).toContain('"in":2');
  });

  it('are missing for withdrawn and withheld changes, of which nothing is kept', async () => {
    const { state, read } = database([3]);
    const documents = make();
    for (let time = 0; time < 2; time += 1)
      expect((await documents.of(read, 1, [rowAt(3), rowAt(4, new Date(1))], 'en')).size).toBe(0);
    expect(state.reads).toEqual([[3], [3]]);
  });

  it('are refused if another data version has arrived since the changes were found', async () => {
    const { state, read } = database();
    state.newest = 2;
    await expect(make().of(read, 1, [rowAt(1)], 'en')).rejects.toThrow('Another data version');
  });
});
