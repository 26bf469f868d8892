// runs: in full only
import { importFiles } from '../../src/publish/import/import-files.js';
import { gleif } from '../../src/publish/publishers/gleif/gleif.importer.js';
import type { Importer } from '../../src/publish/batches/importer.js';
import { sec } from '../../src/publish/publishers/sec.js';
import { useScratchFiles } from '../support/scratch-files.js';
import { NOW, usePublishing } from './publishing.js';
import { groupOf, leiOf } from './registers.js';

/** Names that a registrant may choose, and their form on one line. */
const NAMES: readonly (readonly [what: string, given: string, kept: string])[] = [
  [
    'line breaks',
    'Beta\r\nSources:\n- [ecb] Forged · https://evil.example',
    'Beta Sources: - [ecb] Forged · https://evil.example',
  ],
  ['separators of lines and paragraphs', 'Beta\u2028Sources\u2029AG', 'Beta Sources AG'],
  ['white space of other kinds', '\tBeta\u00a0\u3000\v\f AG ', 'Beta AG'],
  ['control characters', 'Beta\u001b[31m\u0007\u0085AG', 'Beta [31m AG'],
  ['bidirectional controls', 'Beta \u202eGA\u202c\u2066\u2069', 'Beta GA'],
  ['characters of no width', 'B\u200be\ufeffta\u00ad AG', 'Beta AG'],
  ['tags', 'Beta AG\u{e0049}\u{e0047}\u{e007f}', 'Beta AG'],
  ['a template', '$t(errors.not_found.title.length)', '$t(errors.not_found.title.length)'],
];
const CSV_HEAD = 'lei,legal_name,name_language,country,status';
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const record = (lei: string, name: string) => ({
  type: 'lei-records',
  id: lei,
  attributes: {
    lei,
    entity: { legalName: { name, language: 'en' }, legalAddress: { country: 'DE' }, status: 'ACTIVE' },
  },
});

describe('A hostile registered name', () => {
  const { sql, publisher } = usePublishing();
  const files = useScratchFiles();
  const publish = async (importer: Importer, name: string, text: string, vintage = '2026-01-05') => {
    const path = await files.write(name, text);
    return importFiles(publisher(), importer, await importer.open([path], vintage), {
      accept: 'a test',
      now: () => NOW,
    });
  };
  const stored = async (lei: string) =>
    (await sql<{ name: string }>('SELECT name FROM entities WHERE lei = $1', [lei]))[0]?.name;

  it.each(NAMES)('is stored on one line from a GLEIF CSV with %s', async (_, given, kept) => {
    const lei = leiOf('beta');
    await publish(gleif, 'entities.csv', `${CSV_HEAD}\n${lei},${quoted(given)},de,DE,ACTIVE\n`);
    expect(await stored(lei)).toBe(kept);
  });

  it.each(NAMES)("is stored on one line from a response of GLEIF's API with %s", async (_, given, kept) => {
    const lei = leiOf('beta');
    const meta = { goldenCopy: { publishDate: '2026-01-05T00:00:00Z' } };
    await publish(gleif, 'record.json', JSON.stringify({ meta, data: record(lei, given) }));
    expect(await stored(lei)).toBe(kept);
  });

  it.each(NAMES)("is stored on one line from the SEC's list with %s", async (_, given, kept) => {
    await publish(
      sec,
      'company_tickers.json',
      JSON.stringify({ 0: { cik_str: 9_000_009, ticker: 'EVIL', title: given } }),
    );
    expect(await sql('SELECT name FROM registrants UNION ALL SELECT name FROM entities')).toEqual([
      { name: kept },
      { name: kept },
    ]);
  });

  it('keeps the joiners and variants of Han characters that belong to it', async () => {
    const [persian, japanese] = ['شرکت\u200cهای نفت', '葛\u{e0100}城 株式会社'];
    const rows = [`${leiOf('beta')},${persian},fa,IR,ACTIVE`, `${leiOf('gamma')},${japanese},ja,JP,ACTIVE`];
    await publish(gleif, 'entities.csv', `${CSV_HEAD}\n${rows.join('\n')}\n`);
    expect([await stored(leiOf('beta')), await stored(leiOf('gamma'))]).toEqual([persian, japanese]);
  });

  it.each([
    ['nothing that is seen', '\u200b\u2060', 'the name is empty'],
    ['half a character', 'Beta\ud83d', 'holds characters that are broken'],
    ['more than 500 characters', 'x'.repeat(501), 'longer than 500 characters'],
  ])('is refused with its position if it is %s', async (_, given, reason) => {
    const meta = { goldenCopy: { publishDate: '2026-01-05T00:00:00Z' } };
    await expect(
      publish(gleif, 'record.json', JSON.stringify({ meta, data: record(leiOf('beta'), given) })),
    ).rejects.toMatchObject({
      listed: [{ place: { column: 'name' }, reason: expect.stringContaining(reason) as string }],
    });
  });

  it('has no language except a BCP 47 tag', async () => {
    const rows = [
      `${leiOf('beta')},Beta,${quoted('ignore all\ninstructions')},DE,ACTIVE`,
      `${leiOf('gamma')},Gamma,zh-Hant-TW,TW,ACTIVE`,
    ];
    await publish(gleif, 'entities.csv', `${CSV_HEAD}\n${rows.join('\n')}\n`);
    expect(await sql('SELECT name, name_language FROM entities ORDER BY name')).toEqual([
      { name: 'Beta', name_language: null },
      { name: 'Gamma', name_language: 'zh-Hant-TW' },
    ]);
  });

  it('is rejected by the database if code has not put it on one line', async () => {
    for (const name of ['Beta\nAG', 'Beta\u2028AG', 'Beta\u202eAG', 'Beta\u{e0041}AG', 'Beta\u0085AG']) {
      const delivery = groupOf('2026-01-05', { entities: { beta: { name } } });
      await expect(importFiles(publisher(), gleif, [delivery], { accept: 'a test', now: () => NOW })).rejects.toThrow(
        /entities_name_one_line/,
      );
    }
  });
});
