import { changeId } from '../../src/publish/derive/change-id.js';
import { changeTexts, type ChangeFacts } from '../../src/publish/derive/change-texts.js';
import { compileTemplate } from '../../src/domain/locale/templates.js';
import { SENTENCES } from '../../src/domain/locale/voice/voices.js';
import type { UnitCode } from '../../src/domain/figures/units.js';
import type { Wording } from '../../src/domain/figures/wording.js';
import type { Rebasing, Restated } from '../../src/publish/derive/release-revision.rule.js';
import indicators from '../../data/catalogue/indicators.json' with { type: 'json' };

const all = (en: string, zh: string, ja: string) => ({ en, zh, ja });

const facts = (traits: {
  readonly kind?: 'release' | 'revision';
  readonly unit?: UnitCode;
  readonly actual: string;
  readonly previous: string | null;
  readonly missing?: 'not_published' | 'withdrawn_by_source';
  readonly delta: string | null;
  readonly percent?: string;
  readonly basis?: 'released' | 'updated' | 'retrieved';
  readonly rebasing?: Rebasing;
  readonly restated?: readonly Restated[];
}): ChangeFacts => ({
  subject: {
    name: all('GDP', 'GDP', 'GDP'),
    region: all('Japan', '日本', '日本'),
    publisher: all('World Bank', '世界银行', '世界銀行'),
    unit: traits.unit ?? 'percent',
    currency: null,
    wording: { verb: 'grow', sides: null },
  },
  change: {
    kind: traits.kind ?? 'release',
    period: '2025',
    actual: traits.actual,
    previous: {
      period: traits.kind === 'revision' ? '2025' : '2024',
      basis: traits.kind === 'revision' ? 'vintage' : 'period',
      value: traits.previous,
      missing: traits.missing ?? null,
      knownSince: traits.previous === null ? null : '2025-12-17',
    },
    ...(traits.rebasing && { rebasing: traits.rebasing }),
    ...(traits.restated && { restated: traits.restated }),
  },
  delta: traits.delta,
  deltaPercent: traits.percent ?? null,
  yearBefore: null,
  day: '2026-07-01',
  basis: traits.basis ?? 'retrieved',
});

describe('The texts of a monthly index', () => {
  const index = (previous: string, yearBefore: string | null) => {
    const { change, ...given } = facts({ actual: '325.901', previous, delta: '0.8', unit: 'index_1982_84_100' });
    const before = { ...change.previous, period: '2026-04' };
    return changeTexts({ ...given, yearBefore, change: { ...change, period: '2026-05', previous: before } });
  };

  it('tell its percentage on the year, which is free of seasons, and its level in the summary', () => {
    const { headline, summary } = index('325.100', '316.449');
    expect(headline).toEqual({
      en: 'Japan: GDP rose 3.0% in the year to May 2026',
      zh: '日本2026年5月GDP同比上涨3.0%',
      ja: '日本のGDP、2026年5月は前年同月比3.0%上昇',
    });
    expect(summary.en).toMatch(
      /^Japan: GDP rose 3\.0% in the year to May 2026\. The index was 325\.901 \(1982–84 = 100\)\. Source/,
    );
    expect(index('326.5', '325.901').summary.ja).toMatch(
      /前年同月比横ばいだった。指数は325\.901（1982～84年＝100）。出典/,
    );
  });

  it('tell the level alone where the year before is not stored: a month is no news', () => {
    const { headline, summary } = index('325.100', null);
    expect(headline).toEqual({
      en: 'Japan: GDP at 325.901 (1982–84 = 100) in May 2026',
      zh: '日本2026年5月GDP为325.901（1982—1984年=100）',
      ja: '日本のGDP、2026年5月は325.901（1982～84年＝100）',
    });
    expect(summary.en).toMatch(
      /^Japan: GDP was 325\.901 \(1982–84 = 100\) in May 2026, after 325\.100 in April\. Source/,
    );
    expect(summary.zh).toMatch(/^日本2026年5月GDP为325\.901（1982—1984年=100），4月为325\.100。/);
    expect(summary.ja).toMatch(/^日本の2026年5月のGDPは325\.901（1982～84年＝100）、4月は325\.100だった。/);
  });
});

describe('The texts of a change', () => {
  it('shorten large amounts, each language with its own units', () => {
    const { headline, summary } = changeTexts(
      facts({
        unit: 'usd',
        actual: '4190000000000.12',
        previous: '4070000000000',
        delta: '120000000000.12',
        percent: '2.94840294840',
      }),
    );
    expect(headline).toEqual({
      en: 'Japan: GDP rose 2.9% in US dollar terms in 2025, to $4.19 trillion from $4.07 trillion in 2024',
      zh: '日本2025年GDP按美元计比上年增长2.9%，为4.19万亿美元（2024年为4.07万亿美元）',
      ja: '日本のGDP、2025年はドル建てで前年比2.9%増の4兆1900億ドル（2024年は4兆700億ドル）',
    });
    expect(summary.en).toBe(
      'Japan: GDP rose by $120 billion (2.9% in US dollar terms) to $4.19 trillion in 2025, ' +
        'from $4.07 trillion in 2024. Source: World Bank, as retrieved on 1 July 2026.',
    );
    expect(summary.zh).toContain('比2024年（4.07万亿美元）增长1200亿美元，增幅2.9%（按美元计）。');
    expect(summary.ja).toContain('2024年の4兆700億ドルから1200億ドル（ドル建てで2.9%）増加した。');
  });

  it('state a revision with its direction and its size', () => {
    const { headline, summary } = changeTexts(
      facts({ kind: 'revision', actual: '3.9562379', previous: '4.0246085', delta: '-0.0683706' }),
    );
    expect(headline.en).toBe('Japan: GDP for 2025 revised down from 4.02% to 3.96%');
    expect(headline.zh).toBe('日本2025年GDP由4.02%下修至3.96%');
    expect(headline.ja).toBe('日本の2025年のGDP、4.02%から3.96%に下方改定');
    expect(summary.en).toBe(
      'Japan: the 2025 figure for GDP was revised down by 0.06 percentage points, from 4.02% to 3.96%. ' +
        'Source: World Bank, as retrieved on 1 July 2026.',
    );
  });

  it('tell a revision that changes the two decimals of a ratio, however small', () => {
    const revised = changeTexts(facts({ kind: 'revision', actual: '0.40477', previous: '0.40652', delta: '-0.00175' }));
    expect(revised.headline.en).toBe('Japan: GDP for 2025 revised marginally down from 0.41% to 0.40%');
  });

  it('make no news of a ratio whose two decimals stay the same', () => {
    const steady = { actual: '1.23456', previous: '1.23312', delta: '0.00144' };
    const released = changeTexts(facts(steady));
    expect(released.headline.en).toBe('Japan: GDP at 1.2% in 2025, little changed from 2024');
    expect(released.headline.zh).toBe('日本2025年GDP为1.2%，与2024年基本持平');
    expect(released.headline.ja).toBe('日本のGDP、2025年は1.2%で2024年からほぼ横ばい');
    const revised = changeTexts(facts({ kind: 'revision', ...steady }));
    expect(revised.headline.en).toBe('Japan: GDP for 2025 revised marginally, unchanged at 1.2% after rounding');
  });

  it('call a rate little changed that moved by less than a twentieth of a point and a hundredth of itself', () => {
    const slight = changeTexts(facts({ actual: '4.91', previous: '4.89', delta: '0.02' }));
    expect(slight.headline.en).toBe('Japan: GDP at 4.91% in 2025, little changed from 4.89% in 2024');
    expect(slight.summary.zh).toMatch('日本2025年GDP为4.91%，与2024年的4.89%基本持平。');
    expect(slight.summary.ja).toMatch('日本の2025年のGDPは4.91%で、2024年の4.89%からほぼ横ばいだった。');
    const small = changeTexts(facts({ actual: '0.91', previous: '0.89', delta: '0.02' }));
    expect(small.headline.en).toBe('Japan: GDP rose to 0.91% in 2025 from 0.89% in 2024');
  });

  it('say of a re-basing how many periods were restated, by how much, and the newest of them', () => {
    const rebasing = { periods: 32, since: '1992', median: '0.06', medianPercent: '1.5' };
    const restated = {
      kind: 'revision',
      actual: '0.04',
      previous: '-0.23',
      delta: '0.27',
      rebasing,
      restated: [
        { period: '2025', previous: '-0.23', actual: '0.04' },
        { period: '2024', previous: '1.48', actual: '0.72' },
        { period: '2023', previous: '2.1', actual: '2.14' },
      ],
    } as const;
    const points = changeTexts(facts(restated));
    expect(points.headline).toEqual({
      en: 'Japan: GDP for 2025 revised from −0.23% to 0.04%, with 32 of the 34 years from 1992 restated',
      zh: '日本2025年GDP由−0.23%修订为0.04%；1992年至2025年（34个年度中的32个）的数据一并追溯修订',
      ja: '日本の2025年のGDP、マイナス0.23%から0.04%に改定（1992年から2025年までの34年のうち32年分を遡及改定）',
    });
    expect(points.summary.en).toBe(
      'Japan: figures for GDP were restated for 32 of the 34 years from 1992 to 2025 in one data update; the median ' +
        'size of these revisions, up or down, was 0.06 percentage points. The latest restated figures are those for 2025 ' +
        '(from −0.23% to 0.04%), 2024 (from 1.48% to 0.72%) and 2023 (from 2.10% to 2.14%). Source: World Bank, as retrieved on 1 July 2026.',
    );
    expect(points.summary.zh).toContain(
      '。其中2025年由−0.23%改为0.04%，2024年由1.48%改为0.72%，2023年由2.10%改为2.14%。',
    );
    expect(points.summary.ja).toContain(
      'このうち2025年はマイナス0.23%から0.04%に、2024年は1.48%から0.72%に、2023年は2.10%から2.14%に改定された。',
    );
    const share = changeTexts(facts({ ...restated, unit: 'usd', actual: '2000000', previous: '1000000' }));
    expect(share.summary.zh).toContain('修订幅度（绝对值）的中位数为1.5%。');
    expect(share.summary.ja).toContain('改定幅（絶対値）の中央値は1.5%だった。');
  });

  it('name what a restated ratio is to, once', () => {
    const { headline, summary } = changeTexts(
      facts({
        kind: 'revision',
        unit: 'percent_of_gdp',
        actual: '22.04',
        previous: '21.5',
        delta: '0.54',
        rebasing: { periods: 17, since: '2002', median: '0.3', medianPercent: '1.4' },
        restated: [{ period: '2025', previous: '21.5', actual: '22.04' }],
      }),
    );
    expect(headline.en).toBe(
      'Japan: GDP as a share of GDP restated, 2025 from 21.50% to 22.04%; 17 of the 24 years from 2002 to 2025 revised',
    );
    expect(summary.en).toContain('The latest restated figures are those for 2025 (from 21.50% to 22.04%).');
  });

  it('tell another base period of an index as no revision of its level', () => {
    const { change, ...given } = facts({
      kind: 'revision',
      unit: 'index_1982_84_100',
      actual: '110.2',
      previous: '325.1',
      delta: '-214.9',
      rebasing: { periods: 24, since: '2023-09', median: '210', medianPercent: '66.1' },
      restated: [{ period: '2025-08', previous: '325.1', actual: '110.2' }],
    });
    const said = changeTexts({ ...given, change: { ...change, period: '2025-08', proportional: true } });
    expect(said.headline).toEqual({
      en: 'Japan: GDP moved to another base period, the 24 months from September 2023 to August 2025 recalculated',
      zh: '日本GDP更换基期，2023年9月至2025年8月（共24个月）的数据重新换算',
      ja: '日本のGDP、基準時の変更で2023年9月から2025年8月までの24カ月分を換算',
    });
    expect(said.summary.zh).toBe(
      '本次更新按新基期以同一比例换算了日本2023年9月至2025年8月（共24个月）的GDP数据，' +
        '各期之间的涨跌幅不受影响。其中2025年8月由325.1改为110.2。数据来源：世界银行，2026年7月1日获取。',
    );
    expect(JSON.stringify(said)).not.toMatch(/revis|修订|上修|下修|改定/);
  });

  it('say that the figure before a release was revised with it', () => {
    const { change, ...given } = facts({ actual: '2.92', previous: '2.5', delta: '0.42' });
    const { summary } = changeTexts({ ...given, change: { ...change, previousRevised: '2.31' } });
    expect(summary.en).toContain('from 2.50% in 2024. The 2024 figure was revised to 2.50% from 2.31%. Source');
    expect(summary.zh).toContain('。2024年数据由2.31%修订为2.50%。数据来源');
    expect(summary.ja).toContain('。2024年は2.31%から2.50%に改定された。出典');
    const alike = changeTexts({ ...given, change: { ...change, previousRevised: '2.5004' } });
    expect(alike.summary.en).toContain('from 2.50% in 2024. Source');
    const wording = indicators.find(({ slug }) => slug === 'gdp-growth')?.wording as Wording;
    const subject = { ...given.subject, wording };
    const turned = { ...change, previous: { ...change.previous, value: '-0.24' }, previousRevised: '0.1' };
    const swung = changeTexts({ ...given, subject, change: turned }).summary;
    expect(swung.en).toContain('. The 2024 figure was revised to a contraction of 0.24% from growth of 0.10%. Source');
    expect(swung.zh).toContain('。2024年数据由增长0.10%修订为下降0.24%。数据来源');
    expect(swung.ja).toContain('。2024年は0.10%のプラス成長から0.24%のマイナス成長に改定された。出典');
    const fallen = { ...turned, actual: '-0.11', previousRevised: '-0.2' };
    const { en } = changeTexts({ ...given, subject, change: fallen }).summary;
    expect(en).toContain('from 0.24% in 2024. The 2024 figure was revised to 0.24% from 0.20%. Source');
    const steady = { ...turned, actual: '4.9612', previous: { ...turned.previous, value: '4.9581' } };
    const same = changeTexts({ ...given, subject, change: { ...steady, previousRevised: '4.977' } }).summary;
    expect(same.en).toContain('The 2024 figure was revised to 4.96% from 4.98%.');
  });

  it('print a percentage that the printed figures give, or one with a decimal fewer', () => {
    const people = (actual: string, previous: string, percent: string) =>
      changeTexts(
        facts({ actual, previous, delta: String(Number(actual) - Number(previous)), percent, unit: 'person' }),
      ).summary;
    // 95,000 of 17.993 million are 0.53%.
    expect(people('17898490', '17992510', '-0.522550772516')).toMatchObject({
      en: expect.stringContaining('95,000 (0.5%)') as string,
    });
    expect(people('1190000000', '1118930000', '6.35160377').en).toContain(' (6%) ');
    expect(people('1390000000', '914000000', '52.2').en).toContain(' (about 52%) ');
  });

  it('give the reason for a missing comparison', () => {
    const texts = (missing: 'not_published' | 'withdrawn_by_source') =>
      changeTexts(facts({ actual: '1.5', previous: null, missing, delta: null }));
    expect(texts('not_published').headline.en).toBe('Japan: GDP at 1.5% in 2025');
    expect(texts('not_published').summary.en).toContain('No figure has been published for 2024.');
    expect(texts('withdrawn_by_source').summary.ja).toContain('2024年の値は公表元が取り下げた。');
  });

  it('state that nothing has moved', () => {
    const { summary } = changeTexts(facts({ actual: '1.5', previous: '1.5', delta: '0' }));
    expect(summary.zh).toContain('日本2025年GDP为1.5%，与2024年持平。');
  });

  it('contain "released on" only if the publisher has named the day', () => {
    const { summary } = changeTexts(facts({ actual: '1', previous: '2', delta: '-1', basis: 'released' }));
    expect(summary.en).toMatch(/Source: World Bank, released on 1 July 2026\.$/);
    expect(summary.zh).toMatch(/数据来源：世界银行，2026年7月1日发布。$/);
  });

  it('say of a release of long ago that no newer figure exists', () => {
    const given = facts({ actual: '1', previous: '2', delta: '-1' });
    const said = (period: string) => changeTexts({ ...given, change: { ...given.change, period } }).summary;
    expect(said('2017').en).toContain('The series had no newer figure at the time. Source: ');
    expect(said('2017').ja).toContain('その時点で、この系列にこれより新しい値はなかった。出典');
    expect(said('2023').en).not.toContain('newer');
  });

  it('say when an earlier figure was published, where its publisher has named the day', () => {
    const revised = { actual: '1', previous: '2', delta: '-1', kind: 'revision' } as const;
    const said = (published: boolean) => changeTexts({ ...facts(revised), published }).summary.en;
    expect(said(true)).toContain('The figure before the revision was published on 17 December 2025.');
    expect(said(false)).not.toContain('before the revision');
  });

  it('say of which months a fiscal year is', () => {
    const given = facts({ actual: '1', previous: '2', delta: '-1' });
    const { summary } = changeTexts({ ...given, fiscalYear: { first: '2025-04', last: '2026-03' } });
    expect(summary.en).toContain('2025 is the fiscal year from April 2025 to March 2026. Source: ');
    expect(summary.zh).toContain('2025年指2025年4月至2026年3月的财政年度。');
    expect(summary.ja).toContain('2025年は2025年4月から2026年3月までの会計年度を指す。');
  });

  it('exist in all three languages with the same keys', () => {
    const keys = (value: unknown, path = ''): string[] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, inner]) => keys(inner, `${path}.${key}`))
        : [path];
    expect(keys(SENTENCES.zh.changes)).toEqual(keys(SENTENCES.en.changes));
    expect(keys(SENTENCES.ja.changes)).toEqual(keys(SENTENCES.en.changes));
  });

  it('cannot be written with a missing argument', () => {
    expect(() => compileTemplate('{name} is {value}')({ name: 'x' })).toThrow('{value}');
  });
});

describe('The id of a change', () => {
  const identity = { kind: 'release', indicator: 'gdp-growth', region: 'JP', period: '2025', vintageDay: '2026-07-01' };

  it('is the same for the same change, in every database', () => {
    expect(changeId(identity)).toBe(changeId({ ...identity }));
    expect(changeId(identity)).toMatch(/^chg_[A-Za-z0-9_-]{27}$/);
  });

  it.each(['kind', 'indicator', 'region', 'period', 'vintageDay'])('differs with the %s', (member) => {
    expect(changeId({ ...identity, [member]: 'other' })).not.toBe(changeId(identity));
  });
});
