import { briefTexts, type BriefFacts } from '../../src/publishing/read-models/briefs/brief-texts.js';
import {
  itemHeadline,
  itemPhrase,
  type ItemFigures,
} from '../../src/publishing/read-models/briefs/item-texts.js';
import { countIn, listIn } from '../../src/publishing/read-models/briefs/wording.js';
import { moveTexts, type MoveFacts } from '../../src/publishing/derive/move-texts.js';
import type { UnitCode } from '../../src/figures/units.js';

const all = (en: string, zh = en, ja = en) => ({ en, zh, ja });

const REGIONS: Readonly<Record<string, ReturnType<typeof all>>> = {
  US: all('United States', '美国', '米国'),
  JP: all('Japan', '日本', '日本'),
  EMU: all('Euro area', '欧元区', 'ユーロ圏'),
  HIC: all('High income', '高收入国家', '高所得国'),
  WLD: all('World', '全球', '世界'),
};
const UNEMPLOYMENT = all('Unemployment rate', '失业率', '失業率');
const CPI = all('CPI inflation', 'CPI通胀率', '消費者物価上昇率');
const BALANCE = all('Current account balance', '经常账户差额', '経常収支');
const POPULATION = all('Population', '总人口', '総人口');

interface Traits {
  readonly kind?: string;
  readonly subject?: string;
  readonly name?: ReturnType<typeof all>;
  readonly unit?: UnitCode;
  readonly region?: string;
  readonly period?: string;
  readonly from: string | null;
  readonly to: string;
}

const change = (traits: Traits): ItemFigures => {
  const { kind = 'release', name = UNEMPLOYMENT, unit = 'percent', region = 'JP', period = '2025' } = traits;
  return {
    kind,
    headline: all('its own headline', '自有标题', '自身の見出し'),
    subject: traits.subject ?? name.en,
    name,
    instrumentName: null,
    unit,
    currency: null,
    region,
    regionName: REGIONS[region] ?? null,
    economy: region !== 'HIC',
    period,
    actual: traits.to,
    previous: traits.from,
  };
};

const alone = (traits: Traits) => ({ lead: change(traits), changes: 1, regions: 1, periods: 1 });

describe('The headline of an item', () => {
  it('equals that of its change if it has only one', () => {
    expect(itemHeadline(alone({ from: '2.5', to: '2.4' })).en).toBe('its own headline');
  });

  it('counts the economies of similar revisions and names the foremost', () => {
    const lead = change({ kind: 'revision', region: 'US', period: '2024', from: '2.8', to: '2.1' });
    expect(itemHeadline({ lead, changes: 90, regions: 41, periods: 12 })).toEqual({
      en: 'Unemployment rate revised for 41 economies; US 2024 down from 2.8% to 2.1%',
      zh: '41个经济体的失业率数据有所修订，其中美国2024年由2.8%下修至2.1%',
      ja: '41カ国・地域の失業率を改定、米国の2024年は2.8%から2.1%に下方改定',
    });
  });

  it('counts the periods by their kind if all belong to one economy', () => {
    const of = (period: string) =>
      itemHeadline({
        lead: change({ kind: 'revision', period, from: '2.5', to: '2.6' }),
        ...{ changes: 4, regions: 1, periods: 4 },
      });
    expect(of('2024')).toEqual({
      en: 'Japan: unemployment rate, four annual figures revised; 2024 up from 2.5% to 2.6%',
      zh: '日本4个年度的失业率数据有所修订，其中2024年由2.5%上修至2.6%',
      ja: '日本の失業率を4年分改定、2024年は2.5%から2.6%に上方改定',
    });
    expect(of('2025-Q3').ja).toBe('日本の失業率を4四半期分改定、2025年7～9月期は2.5%から2.6%に上方改定');
    expect(of('2025-10').zh).toBe('日本4个月份的失业率数据有所修订，其中2025年10月由2.5%上修至2.6%');
  });

  it('names the unit once in English', () => {
    const lead = change({
      ...{ kind: 'revision', name: BALANCE, unit: 'usd', from: '41450000000', to: '-42330000000' },
    });
    expect(itemHeadline({ lead, changes: 3, regions: 1, periods: 3 }).en).toBe(
      'Japan: current account balance, three annual figures revised; 2025 down from $41.45 billion to -$42.33 billion',
    );
  });
});

const moved = (name: ReturnType<typeof all>) => {
  const { headline } = moveTexts({
    ...{ name, publisher: all('ECB'), unit: 'currency_per_eur', currency: 'PLN', superlative: null },
    move: {
      ...{ measure: 'share', step: 1.01, ordinary: 0.2, count: 250, multiple: 5 },
      ...{
        actual: { period: '2026-07-01', value: '4.2865' },
        previous: { period: '2026-06-30', value: '4.2437' },
      },
    } as unknown as MoveFacts['move'],
  });
  const lead = { ...change({ kind: 'move', period: '2026-07-01', from: '4.2437', to: '4.2865' }), headline };
  return {
    ...{ changes: 1, regions: 0, periods: 1 },
    lead: { ...lead, name: null, instrumentName: name, region: null },
  };
};
const ZLOTY = all('Euro/Polish zloty', '欧元兑波兰兹罗提', 'ユーロ／ポーランド・ズロチ');
const BAHT = all('Euro/Thai baht', '欧元兑泰铢', 'ユーロ／タイ・バーツ');

describe('The phrase for an item in a title', () => {
  it.each([
    [{ from: '2.5', to: '2.6' }, 'Japan unemployment rate rose to 2.6% in 2025', '日本2025年失业率升至2.6%'],
    [{ from: '2.6', to: '2.5' }, 'Japan unemployment rate fell to 2.5% in 2025', '日本2025年失业率降至2.5%'],
    [
      { from: '2.5', to: '2.5' },
      'Japan unemployment rate unchanged at 2.5% in 2025',
      '日本2025年失业率持平于2.5%',
    ],
    [{ from: null, to: '2.5' }, 'Japan unemployment rate at 2.5% in 2025', '日本2025年失业率为2.5%'],
  ])('describes how the figure moved: %p', (traits, en, zh) => {
    expect(itemPhrase(alone(traits))).toMatchObject({ en, zh });
  });

  it('counts in dollars if figures are printed in billions of them', () => {
    const gdp = { name: all('Nominal GDP'), unit: 'usd_billions', period: '2026-Q1' } as const;
    expect(itemPhrase(alone({ ...gdp, from: '29962', to: '30485.729' })).en).toBe(
      'Japan nominal GDP rose to $30.49 trillion in Q1 2026',
    );
  });

  it('says that amounts grow, and states only the size of a balance below zero', () => {
    const grown = { name: POPULATION, unit: 'person', from: '124000000', to: '123000000' } as const;
    expect(itemPhrase(alone(grown)).ja).toBe('日本の2025年の総人口は1億2300万人に減少');
    const deficit = { name: BALANCE, unit: 'usd', from: '-5000000', to: '-7000000' } as const;
    expect(itemPhrase(alone(deficit)).zh).toBe('日本2025年经常账户差额为-700万美元');
  });

  it('omits the day of a market move, which the title names', () => {
    expect(itemPhrase(moved(ZLOTY))).toEqual({
      en: 'The euro rose 1.0% against the Polish zloty to 4.2865',
      zh: '欧元兑波兰兹罗提上涨1.0%，报1欧元兑4.2865波兰兹罗提',
      ja: 'ユーロ、対ポーランドズロチで1.0%上昇し1ユーロ＝4.2865ポーランドズロチに',
    });
  });

  it('states a decision without a second colon or day', () => {
    const name = all('Policy rate', '政策利率', '政策金利');
    expect(itemPhrase(alone({ kind: 'decision', name, region: 'US', from: '4.25', to: '4' }))).toEqual({
      en: 'US policy rate cut to 4.00%',
      zh: '美国政策利率下调至4.00%',
      ja: '米国の政策金利を4.00%に引き下げ',
    });
    const raised = { kind: 'decision', name, from: '0.5', to: '0.75' };
    expect(itemPhrase(alone(raised)).ja).toBe('日本の政策金利を0.75%に引き上げ');
    expect(itemHeadline(alone(raised)).en).toBe('its own headline');
  });

  it('is the headline if the change has no figure of an economy', () => {
    expect(itemPhrase(alone({ kind: 'structure', from: '1', to: '2' })).ja).toBe('自身の見出し');
  });
});

const summary = all('A summary of its own.', '自有摘要。', '自身の要約。');

const facts = (traits: Partial<BriefFacts> = {}): BriefFacts => ({
  day: '2026-07-01',
  items: [
    { ...alone({ from: '2.5', to: '2.6' }), section: 'labour', summary },
    { ...alone({ from: '2.5', to: '2.4', region: 'US' }), section: 'labour', summary },
    { ...alone({ name: CPI, from: '2.74', to: '3.17' }), section: 'prices', summary },
  ],
  tally: { release: 20, revision: 1230, move: 0, decision: 0, structure: 0, up: 1200, down: 30 },
  sections: [
    { name: all('Prices and inflation', '物价与通胀', '物価とインフレ'), changes: 250 },
    { name: all('Labour market', '劳动力市场', '労働市場'), changes: 1000 },
  ],
  regions: {
    total: 58,
    listed: ['US', 'HIC', 'EMU', 'JP'].map((code) => ({
      ...{ code, name: REGIONS[code] ?? all(code), economy: code !== 'HIC' },
    })),
  },
  publishers: [{ name: all('World Bank', '世界银行', '世界銀行'), retrieved: true }],
  ...traits,
});

describe('A brief', () => {
  it('names the day and the foremost of two domains', () => {
    expect(briefTexts(facts()).title).toEqual({
      en: '1 July 2026: Japan unemployment rate rose to 2.6% in 2025; Japan CPI inflation rose to 3.17% in 2025',
      zh: '2026年7月1日：日本2025年失业率升至2.6%；日本2025年CPI通胀率升至3.17%',
      ja: '2026年7月1日：日本の2025年の失業率は2.6%に上昇　日本の2025年の消費者物価上昇率は3.17%に上昇',
    });
  });

  it('names an economy in its title before a group of countries by income', () => {
    const group = { ...alone({ from: '2.5', to: '2.6', region: 'HIC' }), section: 'labour', summary };
    const { title } = briefTexts(facts({ items: [group, ...facts().items] }));
    expect(title.en).toMatch(/^1 July 2026: Japan unemployment rate rose/);
    expect(briefTexts(facts({ items: [group] })).title.zh).toBe(
      '2026年7月1日：高收入国家2025年失业率升至2.6%',
    );
  });

  it('summarises how many changes there are, in which economies and domains, and in which direction', () => {
    expect(briefTexts(facts()).summary).toEqual({
      en:
        'The day brought 20 new figures and 1,230 revisions, covering 58 economies, including the United States, the euro ' +
        'area and Japan. Labour market led with 1,000, followed by prices and inflation ' +
        'with 250. Of the revisions, 1,200 were upward and 30 downward. Source: World Bank, as retrieved on 1 July 2026.',
      zh:
        '当日新公布数据20项、修订数据1230项，涉及美国、欧元区、日本等58个经济体。' +
        '按领域看，“劳动力市场”最多，共1000项；其次为“物价与通胀”，共250项。' +
        '修订数据中，上修1200项，下修30项。数据来源：世界银行，2026年7月1日获取。',
      ja:
        'この日の新規公表は20件、改定は1230件で、米国、ユーロ圏、日本など58カ国・地域が対象となった。' +
        '分野別では「労働市場」が1000件で最も多く、「物価とインフレ」が250件で続いた。' +
        '改定の内訳は上方が1200件、下方が30件だった。出典：世界銀行、2026年7月1日取得。',
    });
  });

  it('repeats the text of its only change', () => {
    const tally = { release: 1, revision: 0, move: 0, decision: 0, structure: 0, up: 0, down: 0 };
    expect(briefTexts(facts({ tally })).summary).toEqual(summary);
  });

  it('names up to three economies without counting them', () => {
    const tally = { release: 2, revision: 0, move: 0, decision: 0, structure: 0, up: 0, down: 0 };
    const listed = ['WLD', 'US'].map((code) => ({ code, name: REGIONS[code] ?? all(code), economy: true }));
    const { summary: text } = briefTexts(facts({ tally, regions: { total: 2, listed } }));
    expect(text.en).toMatch(
      /^Two new figures were published, covering the world and the United States\. Source/,
    );
    expect(text.zh).toMatch(/^当日新公布数据2项，涉及全球和美国。数据来源/);
    expect(text.ja).toMatch(/^この日の新規公表は2件で、世界、米国が対象となった。出典/);
  });

  it('counts economies and no aggregates', () => {
    const listed = ['WLD', 'US', 'EMU', 'JP'].map((code) => ({
      ...{ code, name: REGIONS[code] ?? all(code) },
      economy: ['US', 'JP'].includes(code),
    }));
    const said = (total: number) => briefTexts(facts({ regions: { total, listed } })).summary.en;
    expect(said(24)).toContain(', covering 24 economies, including the United States and Japan.');
    expect(said(2)).toContain(', covering the United States and Japan.');
  });

  it('names what moved on a day with market moves only', () => {
    const items = [ZLOTY, BAHT].map((name) => ({ ...moved(name), section: 'currency', summary }));
    const said = (move: number) =>
      briefTexts(
        facts({
          ...{
            items,
            regions: { total: 0, listed: [] },
            sections: [{ name: all('Currencies'), changes: move }],
          },
          tally: { release: 0, revision: 0, move, decision: 0, structure: 0, up: 0, down: 0 },
        }),
      ).summary;
    expect(said(2).en).toMatch(
      /^There were unusual market moves in Euro\/Polish zloty and Euro\/Thai baht\. Source/,
    );
    expect(said(2).ja).toMatch(
      /^この日はユーロ／ポーランド・ズロチ、ユーロ／タイ・バーツが大幅に変動した。出典/,
    );
    expect(said(4).zh).toMatch(/^当日欧元兑波兰兹罗提、欧元兑泰铢等4个品种行情大幅波动。数据来源/);
  });

  it('names no economies if there are none, and no direction of changes without one', () => {
    const tally = { release: 0, revision: 0, move: 2, decision: 0, structure: 1, up: 0, down: 0 };
    const publishers = [
      { name: all('Eurostat'), retrieved: false },
      { name: all('World Bank'), retrieved: true },
    ];
    const { summary: text } = briefTexts(facts({ tally, publishers, regions: { total: 0, listed: [] } }));
    expect(text.en).toBe(
      'The day brought two unusual market moves and one change in a corporate group. ' +
        'Sources: World Bank, as retrieved on 1 July 2026; Eurostat.',
    );
    expect(text.ja).toMatch(/^この日の相場の大幅な変動は2件、企業グループの異動は1件だった。出典/);
  });

  it('lists two domains with equally many changes, and none if three share the lead', () => {
    const section = (name: string, changes: number) => ({ name: all(name), changes });
    const said = (sections: BriefFacts['sections']) => briefTexts(facts({ sections })).summary.en;
    expect(said([section('A', 5), section('B', 5), section('C', 1)])).toContain(
      'A and B led with five each.',
    );
    expect(said([section('A', 5), section('B', 5), section('C', 5)])).not.toContain('led with');
    expect(said([section('A', 5), section('B', 2), section('C', 2)])).toContain('A led with five.');
    expect(said([section('Labour market', 5)])).toContain('All fall under one heading, labour market.');
  });
});

describe('Counts and lists', () => {
  it('follow the style of each language', () => {
    expect(['en', 'zh', 'ja'].map((locale) => countIn(locale as 'en', 9))).toEqual(['nine', '9', '9']);
    expect(['en', 'zh', 'ja'].map((locale) => countIn(locale as 'en', 7560))).toEqual([
      '7,560',
      '7560',
      '7560',
    ]);
    expect(['en', 'zh', 'ja'].map((locale) => listIn(locale as 'en', ['A', 'B', 'C']))).toEqual([
      ...['A, B and C', 'A、B和C', 'A、B、C'],
    ]);
  });
});
