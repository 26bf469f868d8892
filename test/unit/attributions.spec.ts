import sources from '../../data/catalogue/sources.json' with { type: 'json' };
import { inAll, LOCALES, type Locale } from '../../src/domain/locale/locale.js';
import { attributionsOf, type AttributedSource, type Sources } from '../../src/domain/sources/attributions.js';
import { Citations } from '../../src/domain/sources/citations.js';
import { LICENCES } from '../../src/domain/sources/licences.js';
import type { SourceLevel } from '../../src/domain/sources/source.schema.js';

const rows: readonly AttributedSource[] = sources.map((source) => ({
  ...source,
  level: source.level as SourceLevel,
  retrievedOn: '2026-08-03',
  series: [],
}));
const held = new Map(rows.map((row) => [row.id, row]));
const shownIn = (locale: Locale, id: string, among: Sources = held) => {
  const cite = new Citations();
  cite.source(id);
  return attributionsOf(among, cite, locale)[0];
};
const shown = (id: string) => ({ en: shownIn('en', id), zh: shownIn('zh', id), ja: shownIn('ja', id) });

describe('The attribution of a source', () => {
  it('says of the ECB that its data are free of charge and what is computed here', () => {
    const { en, zh, ja } = shown('ecb');
    expect(en?.notice).toBe("These data may be obtained free of charge from the ECB's website.");
    expect([zh?.notice, ja?.notice]).toEqual([expect.stringContaining('免费'), expect.stringContaining('無料')]);
    expect(en?.attribution).toBe(
      'Source: European Central Bank, euro foreign exchange reference rates. For information purposes only. ' +
        'Differences, percentage changes and summaries are computed or written by this service.',
    );
  });

  it('says when the data of the BLS were retrieved, and that it cannot vouch for them', () => {
    const { en, zh, ja } = shown('bls');
    expect(en?.notice).toBe(
      'BLS.gov cannot vouch for the data or analyses derived from these data after the data have been retrieved from BLS.gov.',
    );
    expect([en?.attribution, zh?.attribution, ja?.attribution]).toEqual([
      'Source: U.S. Bureau of Labor Statistics, Consumer Price Index. Retrieved on 3 August 2026.',
      '数据来源：美国劳工统计局《消费者价格指数》。2026年8月3日获取。',
      '出典：米労働統計局（BLS）「消費者物価指数」。2026年8月3日取得。',
    ]);
  });

  it('begins the notice of e-Stat with the prescribed Japanese sentence in every language', () => {
    const sentence =
      'このサービスは、政府統計総合窓口(e-Stat)のAPI機能を使用していますが、サービスの内容は国によって保証されたものではありません。';
    for (const id of ['estat', 'mhlw']) {
      const { en, zh, ja } = shown(id);
      expect(ja?.notice).toBe(sentence);
      expect(en?.notice?.startsWith(`${sentence} (This service`)).toBe(true);
      expect(zh?.notice?.startsWith(`${sentence}（本服务`)).toBe(true);
      expect(ja?.attribution).toContain('本サービスが加工・作成');
    }
  });

  it('dates the credit of the EIA, and leaves the date out where nothing was retrieved', () => {
    const { en, zh, ja } = shown('eia');
    expect([en?.attribution, zh?.attribution, ja?.attribution]).toEqual([
      'Source: U.S. Energy Information Administration (August 2026).',
      '数据来源：美国能源信息署，2026年8月。',
      '出典：米エネルギー情報局（EIA）、2026年8月。',
    ]);
    const undated = new Map(rows.map((row) => [row.id, { ...row, retrievedOn: null }]));
    expect(shownIn('en', 'eia', undated)?.attribution).toBe('Source: U.S. Energy Information Administration.');
  });

  it('indicates changes to works under CC BY', () => {
    const { en, zh, ja } = shown('worldbank-wdi');
    expect(en?.attribution).toContain('computed or written by this service');
    expect(zh?.attribution).toContain('由本服务计算');
    expect(ja?.attribution).toContain('本サービスが加工');
  });

  it('shows a notice of the source itself after that of its licence', () => {
    const own = new Map([
      ['ecb', { ...rows.find(({ id }) => id === 'ecb'), notice: inAll(() => 'Own.') } as AttributedSource],
    ]);
    expect(shownIn('en', 'ecb', own)?.notice).toBe(
      "These data may be obtained free of charge from the ECB's website. Own.",
    );
  });
});

describe('The licence table', () => {
  it('names every licence in three languages', () => {
    for (const { name } of Object.values(LICENCES)) {
      expect(new Set(LOCALES.map((locale) => name[locale])).size).toBe(3);
      expect(name.zh).toMatch(/[一-鿿]/);
      expect(name.ja).toMatch(/[ぁ-ヿ一-鿿]/);
    }
  });
});
