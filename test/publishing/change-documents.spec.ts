// runs: in full only
import { renderAllChanges } from '../../src/publish/read-models/changes/refresh-change-documents.js';
import { publishExclusively } from '../../src/publish/publication/publishing-transaction.js';
import { retractVersion } from '../../src/publish/versions/retract-version.js';
import { withdrawChange } from '../../src/publish/versions/withdraw-change.js';
import { withholdSource } from '../../src/publish/versions/withhold-source.js';
import { NOW, usePublishing } from './publishing.js';
import { groupOf } from './registers.js';

const years = (...values: readonly string[]): Record<string, string> =>
  Object.fromEntries(values.map((value, index) => [String(2010 + index), value]));
const WAVE = ['1', '2', '1', '2', '1', '2', '1', '2', '1', '2'];
const growth = (...values: readonly string[]) => ({ 'gdp-growth JP': years(...WAVE, ...values) });

interface Shown {
  readonly position: number;
  readonly en: string;
}

describe('The document of a change', () => {
  const { sql, run, publish, publisher, reader } = usePublishing();
  const inTransaction = <T>(keep: boolean, work: Parameters<typeof publishExclusively<T>>[2]) =>
    publishExclusively(publisher(), () => undefined, work).then((result) => ({ keep, result }));
  const DOCUMENTS = 'SELECT * FROM change_documents ORDER BY position';
  const documents = () => sql<Shown>(DOCUMENTS);
  /** What the change of each position shows if everything is rendered now. */
  const renderedNow = async () => {
    const { result } = await inTransaction(false, async (client) => {
      await client.query('DELETE FROM change_documents');
      await renderAllChanges(client);
      return { keep: false, result: (await client.query<Shown>(DOCUMENTS)).rows };
    });
    return result;
  };
  const idOf = async (condition: string) =>
    (
      await sql<{ id: string }>(`SELECT c.id FROM changes c LEFT JOIN series s ON s.id = c.series_id
       WHERE ${condition} ORDER BY position DESC`)
    )[0]?.id ?? '';
  const family = (names: Readonly<Record<string, object>>) => ({ entities: names, lists: { alpha: 1 } });

  /** What the service does, and a text that a document gains or loses by it. */
  const STEPS: readonly (readonly [what: string, by: () => Promise<unknown>, text: RegExp, gained: boolean])[] = [
    ['a publication', () => publish('2026-02-10', growth('3', '4', '5')), /"period":"2022"/, true],
    ['a signal that opens', () => publish('2026-03-10', growth('3', '4', '5', '6', '7')), /"sig_/, true],
    [
      'a correction',
      () => publish('2026-03-10', growth('3', '4', '5', '6', '7.5'), { replace: true }),
      /"status":"corrected"/,
      true,
    ],
    [
      'a signal that closes',
      () => publish('2026-04-10', growth('3', '4', '5', '6', '7.5', '2')),
      /"period":"2025"/,
      true,
    ],
    [
      'a relation of companies',
      () => run(groupOf('2026-05-12', { ...family({ alpha: {}, beta: {} }), relations: { 'beta alpha': {} } })),
      /"companies":\[\{"slug":"alpha-ag"/,
      true,
    ],
    [
      'a company with another name',
      () =>
        run(
          groupOf('2026-05-13', {
            ...family({ alpha: { name: 'Omega AG' }, beta: {} }),
            relations: { 'beta alpha': {} },
          }),
        ),
      /"name":"Omega AG"/,
      true,
    ],
    [
      'a withdrawal',
      async () => withdrawChange(publisher(), await idOf(`c.status = 'corrected'`), 'wrong', () => NOW),
      /"status":"corrected"/,
      false,
    ],
    ['a retraction', () => retractVersion(publisher(), 6, 'a wrong file', () => NOW), /"period":"2025"/, false],
    [
      'another catalogue',
      async () => {
        await sql(`UPDATE regions SET name = '{"en": "Nippon", "zh": "日本", "ja": "日本"}' WHERE code = 'JP'`);
        await inTransaction(true, async (client) => ({ keep: true, result: await renderAllChanges(client) }));
        expect((await documents()).some(({ en }) => en.includes('Nippon'))).toBe(true);
        await sql(`UPDATE publications SET rendered_by = 'earlier'`);
        await publish('2026-06-10', growth('3', '4', '5', '6', '7.5', '3'));
      },
      /Nippon/,
      false,
    ],
    [
      'a withheld source',
      async () => {
        const [source] = await sql<{ id: string }>('SELECT source_id AS id FROM changes WHERE series_id IS NOT NULL');
        await withholdSource(publisher(), source?.id ?? '', () => NOW);
      },
      /"gdp-growth@JP"/,
      false,
    ],
    [
      'a source that is no longer withheld',
      async () => {
        await sql('UPDATE sources SET withheld = false');
        await publish('2026-07-10', growth('3', '4', '5', '6', '7.5', '3.5'));
      },
      /"gdp-growth@JP"/,
      true,
    ],
  ];

  it('is what its rendering would be now, after everything that moves it', async () => {
    await publish('2026-01-10', growth('3', '4'));
    await run(groupOf('2026-05-11', { entities: { alpha: {}, beta: {} }, lists: { alpha: 0 } }));
    for (const [what, work, text, gained] of STEPS) {
      await work();
      const stored = await documents();
      expect([what, stored]).toEqual([what, await renderedNow()]);
      expect([what, stored.some(({ en }) => text.test(en))]).toEqual([what, gained]);
    }
  }, 240_000);

  it('is hidden from the API with any source that it cites', async () => {
    await publish('2026-01-10', growth('3', '4', '5'));
    await publish('2026-02-10', growth('3', '4', '5', '6'));
    const seen = () => reader().query<Shown[]>(DOCUMENTS);
    expect(await seen()).toHaveLength(1);
    await sql('UPDATE sources SET withheld = true WHERE id = (SELECT sources[1] FROM change_documents)');
    expect(await seen()).toEqual([]);
    await sql('UPDATE sources SET withheld = false');
  });
});
