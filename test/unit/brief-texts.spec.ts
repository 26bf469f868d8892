import { briefTexts, type BriefFacts } from '../../src/publish/read-models/briefs/brief-texts.js';
import type { MentionedChange } from '../../src/publish/read-models/briefs/mentioned-change.js';
import { itemHeadline, itemPhrase, type ItemFacts } from '../../src/publish/read-models/briefs/item-texts.js';
import { alignedWith } from '../../src/publish/read-models/briefs/mentioned-change.js';
import { sectionSentence } from '../../src/publish/read-models/briefs/section-sentence.js';
import { inAll } from '../../src/domain/locale/locale.js';
import {
  inEach as all,
  mentionedChange as change,
  mentionedMove as moved,
  type Traits,
} from '../support/mentioned-changes.js';

const of = (one: MentionedChange, counts: Partial<ItemFacts> = {}): ItemFacts => ({
  change: one,
  changes: 1,
  regions: 1,
  economies: 1,
  periods: 1,
  ...counts,
});
const alone = (traits: Traits): ItemFacts => of(change(traits));
const said = (...items: ItemFacts[]) => inAll((locale) => sectionSentence(locale, items));

describe('The headline of an item', () => {
  it('equals that of its change if it has only one', () => {
    expect(itemHeadline(alone({ from: '2.5', to: '2.4' })).en).toBe('its own headline');
  });

  it('counts economies, not groups of them, and tells the foremost revision', () => {
    const lead = change({ kind: 'revision', region: 'US', period: '2024', from: '2.8', to: '2.1' });
    expect(itemHeadline(of(lead, { changes: 90, regions: 44, economies: 41, periods: 12 }))).toEqual({
      en: 'Unemployment rate (ILO modelled estimate) revised for 41 economies; the US 2024 figure was revised down to 2.1% from 2.8%',
      zh: '41个经济体的失业率（国际劳工组织模型估算）数据有所修订，其中美国2024年由2.8%下修至2.1%',
      ja: '41カ国・地域の失業率（ILOモデル推計）を改定、米国の2024年は2.8%から2.1%に下方改定',
    });
    const groups = of(change({ kind: 'revision', region: 'HIC', from: '5.1', to: '5.2' }), {
      changes: 3,
      regions: 3,
      economies: 0,
    });
    expect(itemHeadline(groups).en).toMatch(
      /^Unemployment rate \(ILO modelled estimate\) revised for High-income countries and other groups of countries; High-income countries: /,
    );
  });

  it('names the periods by their kind if all belong to one economy', () => {
    const told = (period: string, indicator: string) =>
      itemHeadline(
        of(change({ kind: 'revision', indicator, period, from: '2.5', to: '2.6' }), { changes: 4, periods: 4 }),
      );
    expect(told('2024', 'unemployment-rate')).toMatchObject({
      en: expect.stringMatching(
        /^Japan’s unemployment rate \(ILO modelled estimate\): annual figures revised; /,
      ) as string,
      zh: expect.stringMatching(/^日本多个年度的失业率（国际劳工组织模型估算）数据有所修订/) as string,
      ja: expect.stringMatching(/^日本の失業率（ILOモデル推計）を複数年分改定/) as string,
    });
    expect(told('2026-05', 'consumer-price-index').en).toContain('monthly figures revised');
  });
});

describe('The phrase for a title', () => {
  it.each([
    [
      { from: '2.5', to: '2.6' },
      'Japan’s unemployment rate (ILO modelled estimate) rose to 2.6% in 2025',
      '日本2025年失业率（国际劳工组织模型估算）上升至2.6%',
    ],
    [
      { from: '2.6', to: '2.5' },
      'Japan’s unemployment rate (ILO modelled estimate) fell to 2.5% in 2025',
      '日本2025年失业率（国际劳工组织模型估算）下降至2.5%',
    ],
    [
      { from: '2.5', to: '2.5' },
      'Japan’s unemployment rate (ILO modelled estimate) unchanged at 2.5% in 2025',
      '日本2025年失业率（国际劳工组织模型估算）持平于2.5%',
    ],
    [
      { from: null, to: '2.5' },
      'Japan’s unemployment rate (ILO modelled estimate) at 2.5% in 2025',
      '日本2025年失业率（国际劳工组织模型估算）为2.5%',
    ],
    [
      { from: '2.5', to: '2.6', region: 'HIC' },
      'High-income countries: unemployment rate (ILO modelled estimate) rose to 2.6% in 2025',
      '高收入国家2025年失业率（国际劳工组织模型估算）上升至2.6%',
    ],
  ])('tells how the figure moved: %p', (traits, en, zh) => {
    expect(itemPhrase(alone(traits))).toMatchObject({ en, zh });
  });

  it('omits the day of a market move, which the title names, but not the month of an average', () => {
    expect(itemPhrase(of(moved('eurpln', '4.2435', '4.2865')))).toEqual({
      en: 'Euro up 1.0% against the Polish zloty to 4.2865',
      zh: '欧元兑波兰兹罗提参考汇率上涨1.0%，报1欧元兑4.2865波兰兹罗提',
      ja: 'ユーロ、対ポーランドズロチで1.0%上昇し1ユーロ＝4.2865ポーランドズロチに',
    });
    expect(itemPhrase(of(moved('gold-monthly-average', '3998.3', '4210.06', '2026-01'))).en).toMatch(
      / in January 2026$/,
    );
  });

  it('names who decides, and the change of an index in percent', () => {
    const cut = {
      kind: 'decision',
      indicator: 'policy-rate-upper',
      region: 'US',
      period: '2025-09-18',
      from: '4.25',
      to: '4.00',
    };
    expect(itemPhrase(alone(cut)).en).toBe(
      'US Federal Reserve rate cut takes effect, with its federal funds target range down 25 basis points to 3.75%–4.00%',
    );
    const prices = { indicator: 'consumer-price-index', region: 'US', period: '2026-05' } as const;
    const index = { ...prices, from: '325.100', to: '325.901' };
    expect(itemPhrase(alone(index)).en).toBe(
      'US consumer price index (CPI-U, not seasonally adjusted) at 325.901 (1982–84 = 100) in May 2026',
    );
    expect(itemPhrase(alone({ ...index, yearBefore: '316.4' })).zh).toBe(
      '美国2026年5月消费者价格指数（CPI-U，未经季节调整）同比上涨3.0%',
    );
  });
});

describe('The sentence of a section', () => {
  const growth = (region: string, from: string, to: string) => alone({ indicator: 'gdp-growth', region, from, to });

  it('says from what the figure before was revised where the brief tells that', () => {
    const release = change({ indicator: 'gdp-growth', region: 'JP', period: '2025', from: '1.6', to: '1.2' });
    const revision = { kind: 'revision', indicator: 'gdp-growth', period: '2024', from: '1.9', to: '1.6' };
    const beside = (region: string) => {
      const told = [release, change({ ...revision, region })];
      return said(of(alignedWith(told, release)));
    };
    expect(beside('JP').en).toBe(
      'Japan’s real GDP growth slowed to 1.2% in 2025 from 1.6% (revised from 1.9%) in 2024.',
    );
    expect(beside('JP').zh).toBe('日本2025年实际GDP增速为1.2%，较2024年的1.6%（修订前为1.9%）放缓。');
    expect(beside('JP').ja).toBe('日本の2025年の実質GDP成長率は1.2%で、2024年の1.6%（1.9%から改定）から低下した。');
    expect(beside('US').en).toBe('Japan’s real GDP growth slowed to 1.2% in 2025 from 1.6% in 2024.');
  });

  it('tells the figure and the one before, with those of two other economies', () => {
    const items = [growth('US', '2.8', '2.2'), growth('WLD', '2.9', '2.7'), growth('CN', '5.2', '5.0')];
    expect(said(...items, growth('EMU', '0.9', '1.4'), growth('NL', '1.1', '1.8'))).toEqual({
      en:
        'US real GDP growth slowed to 2.2% in 2025 from 2.8% in 2024; the figure was 5.0% in China, after 5.2% in 2024, and 1.8% in ' +
        'the Netherlands, after 1.1% in 2024.',
      zh: '美国2025年实际GDP增速为2.2%，较2024年的2.8%放缓；中国为5.0%（2024年为5.2%），荷兰为1.8%（2024年为1.1%）。',
      ja: '米国の2025年の実質GDP成長率は2.2%で、2024年の2.8%から低下した。中国は5.0%（2024年は5.2%）、オランダは1.8%（2024年は1.1%）だった。',
    });
  });

  it('sets only figures of the same side of zero and the same period beside it, and another in a clause of its own', () => {
    const balance = (region: string, from: string, to: string, period = '2025') =>
      alone({ indicator: 'current-account-balance', region, from, to, period });
    const items = [
      balance('US', '-1188e9', '-1118e9'),
      balance('CN', '400e9', '500e9'),
      balance('JP', '-2e9', '-1e9', '2024'),
    ];
    const plain = items.map((item) => ({
      ...item,
      change: {
        ...item.change,
        actual: String(Number(item.change.actual)),
        previous: String(Number(item.change.previous)),
      },
    }));
    expect(said(...plain).en).toBe(
      'The US current account deficit narrowed to $1.12 trillion in 2025 from $1.19 trillion in 2024; China’s current account surplus widened to $500 billion in 2025 from $400 billion in 2024.',
    );
  });

  it('tells larger economies that changed otherwise before a smaller one that changed alike', () => {
    const items = [growth('US', '2.8', '2.2'), growth('DE', '-0.5', '0.2'), growth('JP', '-0.2', '1.2')];
    expect(said(...items, growth('RU', '4.9', '1.0'), growth('EMU', '0.9', '1.4')).en).toBe(
      'US real GDP growth slowed to 2.2% in 2025 from 2.8% in 2024; Germany’s real GDP swung to growth of 0.2% in 2025 from a ' +
        'contraction of 0.5% in 2024; Japan’s real GDP swung to growth of 1.2% in 2025 from a contraction of 0.2% in 2024.',
    );
  });

  it('tells the same economies in every language, and a deficit by its size', () => {
    const crossing = growth('JP', '-0.2', '1.1');
    expect(said(growth('US', '2.8', '2.2'), crossing).ja).toContain(
      '日本の2025年の実質GDPは1.1%のプラス成長となり、2024年の0.2%のマイナス成長から転じた。',
    );
    const deficits = [
      alone({ indicator: 'fiscal-balance-to-gdp', region: 'NL', from: '-7.4', to: '-3.4' }),
      alone({ indicator: 'fiscal-balance-to-gdp', region: 'EMU', from: '-3.3', to: '-2.7' }),
    ];
    expect(said(...deficits)).toEqual({
      en: 'The Netherlands’ central government deficit narrowed to 3.4% of GDP in 2025 from 7.4% in 2024; the figure was 2.7% in the euro area, after 3.3% in 2024.',
      zh: '荷兰2025年中央政府财政赤字率为3.4%，较2024年的7.4%收窄；欧元区为2.7%（2024年为3.3%）。',
      ja: 'オランダの2025年の中央政府財政赤字（対GDP比）は3.4%で、2024年の7.4%から縮小した。ユーロ圏は2.7%（2024年は3.3%）だった。',
    });
  });

  it('tells one of several revisions without repeating what was revised', () => {
    const several = (region: string, counts: Partial<ItemFacts>) =>
      said(
        of(change({ kind: 'revision', indicator: 'cpi-inflation', region, period: '2024', from: '3.1', to: '3.2' }), {
          changes: 5,
          ...counts,
        }),
      );
    expect(several('NL', { regions: 3, economies: 3 })).toEqual({
      en: 'Figures for annual average CPI inflation were revised for three economies; the Netherlands’ 2024 figure was revised up to 3.2% from 3.1%.',
      zh: '3个经济体的消费者价格（CPI）全年平均涨幅数据有所修订，其中荷兰2024年由3.1%上修至3.2%。',
      ja: '3カ国・地域の年平均消費者物価上昇率が改定され、オランダの2024年は3.1%から3.2%に上方改定された。',
    });
    expect(several('NL', { periods: 4 }).zh).toBe(
      '荷兰多个年度的消费者价格（CPI）全年平均涨幅数据有所修订，其中2024年由3.1%上修至3.2%。',
    );
  });

  it('leads with an economy, and with a group of countries where there is none', () => {
    const group = growth('HIC', '1.6', '1.5');
    expect(said(group, growth('JP', '0.1', '1.1')).zh).toBe('日本2025年实际GDP增速为1.1%，较2024年的0.1%加快。');
    expect(said(group).en).toBe('High-income countries: real GDP growth slowed to 1.5% in 2025 from 1.6% in 2024.');
  });

  it('tells a revision, a change of sign, a figure without one before, and one that stays', () => {
    expect(said(alone({ kind: 'revision', region: 'NL', period: '2024', from: '3.6', to: '3.7' })).en).toBe(
      'The 2024 figure for the Netherlands’ unemployment rate (ILO modelled estimate) was revised up to 3.7% from 3.6%.',
    );
    const crossed = { indicator: 'current-account-balance', from: '5701000000', to: '-7582000000' };
    expect(said(alone(crossed))).toEqual({
      en: 'Japan’s current account swung to a deficit of $7.58 billion in 2025 from a surplus of $5.70 billion in 2024.',
      zh: '日本经常账户由2024年的顺差57.01亿美元转为2025年的逆差75.82亿美元。',
      ja: '日本の2025年の経常収支は75億8200万ドルの赤字となり、2024年の57億100万ドルの黒字から転じた。',
    });
    expect(said(alone({ ...crossed, kind: 'revision' })).en).toBe(
      'The 2025 figure for Japan’s current account was revised from a surplus of $5.70 billion to a deficit of $7.58 billion.',
    );
    expect(said(alone({ from: null, to: '2.5' })).ja).toBe('日本の2025年の失業率（ILOモデル推計）は2.5%だった。');
    expect(said(alone({ from: '2.5', to: '2.5' })).en).toBe(
      'Japan’s unemployment rate (ILO modelled estimate) stayed at 2.5% in 2025, the same as in 2024.',
    );
  });

  it('says which currency weakened, who decided, and a monthly index on the year', () => {
    const lira = { indicator: 'official-exchange-rate', region: 'TR', from: '32.8104', to: '39.4478' };
    expect(said(alone(lira)).ja).toBe(
      'トルコリラの2025年の平均相場は対ドルで16.8%下落した（1ドル＝39.45トルコリラ）。',
    );
    // The euro, the pound and the dollars of Australia and New Zealand are quoted in US dollars.
    const euro = { indicator: 'official-exchange-rate', region: 'EMU', from: '0.9239', to: '0.8850' };
    expect(said(alone(euro))).toEqual({
      en: 'The euro strengthened 4.4% on average against the US dollar in 2025, to about $1.13.',
      zh: '欧元2025年平均汇率兑美元升值4.4%，为1欧元兑约1.13美元。',
      ja: 'ユーロの2025年の平均相場は対ドルで4.4%上昇した（1ユーロ＝約1.13ドル）。',
    });
    const decided = {
      kind: 'decision',
      indicator: 'policy-rate-upper',
      region: 'US',
      period: '2025-09-18',
      from: '4.25',
      to: '4.00',
    };
    expect(said(alone(decided)).zh).toBe(
      '美联储将联邦基金利率目标区间由4.00%—4.25%下调25个基点至3.75%—4.00%，自2025年9月18日起生效。',
    );
    const index = { indicator: 'consumer-price-index', region: 'US', period: '2026-05', to: '325.901' };
    expect(said(alone({ ...index, from: '325.100', yearBefore: '316.4' }))).toEqual({
      en: 'The US consumer price index (CPI-U, not seasonally adjusted) rose 3.0% in the year to May 2026.',
      zh: '美国2026年5月消费者价格指数（CPI-U，未经季节调整）同比上涨3.0%。',
      ja: '米国の2026年5月の消費者物価指数（CPI-U、季節調整前）は前年同月比3.0%上昇した。',
    });
    expect(said(alone({ ...index, from: '325.901' })).ja).toBe(
      '米国の2026年5月の消費者物価指数（CPI-U、季節調整前）は325.901（1982～84年＝100）だった。',
    );
  });

  it('names the day of a market’s moves, and lists the most important with their levels, and the largest of one kind', () => {
    const items = [
      moved('brent', '96.95', '88.90'),
      moved('wti', '93.20', '85.72'),
      moved('us-par-yield-2y', '3.91', '3.71'),
      moved('henry-hub', '3.01', '2.71'),
    ].map((one) => of(one));
    expect(said(...items)).toEqual({
      en: 'Compared with 2 August, spot Brent crude oil fell 8.3% on 3 August 2026, to $88.90 a barrel; spot WTI crude oil fell 8.0% to $85.72 a barrel; the US Treasury 2-year par yield fell 20 basis points to 3.71%; spot Henry Hub natural gas fell 10.0% to $2.71 per million Btu.',
      zh: '2026年8月3日，布伦特原油现货价格较8月2日下跌8.3%，报每桶88.90美元；西得克萨斯中质原油（WTI）现货价格下跌8.0%，报每桶85.72美元；2年期美国国债平价收益率下降20个基点至3.71%；亨利枢纽天然气现货价格下跌10.0%，报每百万英热单位2.71美元。',
      ja: '北海ブレント原油スポット価格は2026年8月3日、8月2日に比べ8.3%下落し、1バレル88.90ドルとなった。WTI原油スポット価格は8.0%下落し、1バレル85.72ドルとなった。米国債パー利回り（2年物）は0.20ポイント低下し、3.71%となった。ヘンリーハブ天然ガススポット価格は10.0%下落し、100万BTU当たり2.71ドルとなった。',
    });
  });

  it('tells moves of the euro in one direction together, the foremost first, in its title too', () => {
    const items = [moved('eurusd', '1.0555', '1.0694'), moved('eurjpy', '156.49', '160.09')].map((one) => ({
      ...of(one),
      section: 'currency',
      summary,
    }));
    expect(said(...items)).toEqual({
      en: 'Compared with 2 August, the euro’s reference rates rose 1.3% against the US dollar to 1.0694 and 2.3% against the yen to 160.09 on 3 August 2026.',
      zh: '2026年8月3日，与8月2日相比，欧元兑美元参考汇率上涨1.3%，报1欧元兑1.0694美元；兑日元上涨2.3%，报160.09日元。',
      ja: 'ユーロの参照レートは2026年8月3日、8月2日に比べ対ドルで1.3%上昇し1ユーロ＝1.0694ドル、対円で2.3%上昇し160.09円となった。',
    });
    expect(briefTexts(facts({ items })).title.en).toBe(
      '1 July 2026: Euro up 1.3% against the US dollar to 1.0694 and 2.3% against the yen to 160.09',
    );
  });

  it('names no move in its title that the summary leaves out, and keeps prices of one unit together', () => {
    const euro = [
      moved('eurusd', '1.0555', '1.0694'),
      moved('eurgbp', '0.8300', '0.8420'),
      moved('eurchf', '0.9300', '0.9500'),
      moved('eurpln', '4.2500', '4.3300'),
      moved('eurjpy', '156.49', '160.09'),
    ].map((one) => ({ ...of(one), section: 'currency', summary }));
    const { title, summary: told } = briefTexts(facts({ items: euro }));
    expect(title.en).toBe(
      '1 July 2026: Euro up 1.3% against the US dollar to 1.0694 and 2.3% against the yen to 160.09',
    );
    expect(told.en).toContain('2.2% against the Swiss franc to 0.9500 and 2.3% against the yen to 160.09');
    expect(told.en).not.toContain('zloty');
    const mixed = [
      moved('brent', '96.95', '88.90'),
      moved('us-par-yield-2y', '3.91', '3.71'),
      moved('wti', '93.20', '85.72'),
    ];
    expect(said(...mixed.map((one) => of(one))).en).toMatch(/Brent.*; spot WTI.*; the two-year|Brent.*; spot WTI/u);
  });

  it('is the headline of a change without figures', () => {
    const told = { ...change({ kind: 'structure', from: null, to: '1' }), unit: null };
    expect(said(of(told)).ja).toBe('自身の見出し。');
  });
});

const summary = all('A summary of its own.', '自有摘要。', '自身の要約。');

const facts = (traits: Partial<BriefFacts> = {}): BriefFacts => ({
  day: '2026-07-01',
  items: [
    { ...alone({ from: '2.5', to: '2.6' }), section: 'labour', summary },
    { ...alone({ from: '2.5', to: '2.4', region: 'US' }), section: 'labour', summary },
    { ...alone({ indicator: 'cpi-inflation', from: '2.74', to: '3.17' }), section: 'prices', summary },
  ],
  changes: 20,
  publishers: [{ name: all('World Bank', '世界银行', '世界銀行'), basis: 'retrieved' }],
  ...traits,
});

describe('A brief', () => {
  it('names the day and the foremost of two domains', () => {
    expect(briefTexts(facts()).title).toEqual({
      en: '1 July 2026: Japan’s unemployment rate (ILO modelled estimate) rose to 2.6% in 2025; Japan’s annual average CPI inflation rose to 3.17% in 2025',
      zh: '2026年7月1日：日本2025年失业率（国际劳工组织模型估算）上升至2.6%；日本2025年消费者价格（CPI）全年平均涨幅扩大至3.17%',
      ja: '2026年7月1日：日本の失業率（ILOモデル推計）、2025年は2.6%に上昇　日本の年平均消費者物価上昇率、2025年は3.17%に拡大',
    });
  });

  it('tells what happened in one sentence a section, and names its source', () => {
    expect(briefTexts(facts()).summary).toEqual({
      en:
        'Japan’s unemployment rate (ILO modelled estimate) rose to 2.6% in 2025 from 2.5% in 2024; the figure was 2.4% in the United States, ' +
        'after 2.5% in 2024. Japan’s annual average CPI inflation rose to 3.17% in 2025 from 2.74% in 2024. ' +
        'Source: World Bank, as retrieved on 1 July 2026.',
      zh:
        '日本2025年失业率（国际劳工组织模型估算）为2.6%，较2024年的2.5%上升；美国为2.4%（2024年为2.5%）。' +
        '日本2025年消费者价格（CPI）全年平均涨幅为3.17%，较2024年的2.74%扩大。数据来源：世界银行，2026年7月1日获取。',
      ja:
        '日本の2025年の失業率（ILOモデル推計）は2.6%で、2024年の2.5%から上昇した。米国は2.4%（2024年は2.5%）だった。' +
        '日本の2025年の年平均消費者物価上昇率は3.17%で、2024年の2.74%から拡大した。出典：世界銀行、2026年7月1日取得。',
    });
  });

  it('leads with an economy before a group of countries', () => {
    const group = { ...alone({ from: '2.5', to: '2.6', region: 'HIC' }), section: 'labour', summary };
    const prices = facts().items.slice(2);
    const { title, summary: text } = briefTexts(facts({ items: [group, ...prices] }));
    expect(title.en).toBe('1 July 2026: Japan’s annual average CPI inflation rose to 3.17% in 2025');
    expect(text.zh).toMatch(/^日本2025年消费者价格/);
    expect(briefTexts(facts({ items: [group] })).title.zh).toBe(
      '2026年7月1日：高收入国家2025年失业率（国际劳工组织模型估算）上升至2.6%',
    );
  });

  it('repeats the text of its only change', () => {
    expect(briefTexts(facts({ changes: 1 })).summary).toEqual(summary);
  });

  it('states the day of what was retrieved, and no day for other sources', () => {
    const publishers = [
      { name: all('Eurostat'), basis: null },
      { name: all('World Bank'), basis: 'retrieved' as const },
    ];
    expect(briefTexts(facts({ publishers })).summary.en).toMatch(
      /\. Sources: World Bank, as retrieved on 1 July 2026; Eurostat\.$/,
    );
  });
});
