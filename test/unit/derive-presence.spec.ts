import { readCatalogue } from '../../src/publish/catalogue/catalogue.js';
import { countSmaller, derivePresence, earlierOf } from '../../src/publish/derive/revision-facts.rule.js';
import { presenceTexts } from '../../src/publish/derive/revision-texts.js';
import type { SeriesNames } from '../../src/publish/derive/templates.js';
import type { KnownRange } from '../../src/publish/derive/release-revision.rule.js';

const EARLY = '2026-01-10';
const GONE = '2026-01-20';
const DAY = '2026-02-10';

const range = (period: string, value: string, from: string, to: string | null = null): KnownRange => ({
  period,
  value,
  from,
  to,
});

describe('The rule of withdrawn and returned figures', () => {
  it('gathers what a vintage withdraws, and tells the newest', () => {
    const ranges = [range('2021', '1', EARLY, DAY), range('2022', '2', EARLY, DAY), range('2023', '3', EARLY)];
    expect(derivePresence(ranges, DAY)).toEqual([
      {
        kind: 'revision',
        period: '2022',
        actual: null,
        previous: { period: '2022', basis: 'vintage', value: '2', missing: null, knownSince: EARLY },
        revision: {
          way: 'withdrawn',
          periods: 2,
          since: '2021',
          smaller: 0,
          earlier: [{ value: '2', knownSince: EARLY }],
        },
      },
    ]);
  });

  it('compares a figure that returns with its last known value, and has the withdrawal between them', () => {
    const [change] = derivePresence([range('2022', '1', EARLY, GONE), range('2022', '1', DAY)], DAY);
    expect(change).toMatchObject({ actual: '1', previous: { value: '1', knownSince: EARLY } });
    expect(change?.revision).toEqual({
      way: 'returned',
      periods: 1,
      since: '2022',
      smaller: 0,
      earlier: [
        { value: '1', knownSince: EARLY },
        { value: null, knownSince: GONE },
      ],
    });
  });

  it('makes nothing of figures that are restated, stay, are new, or vanished on another day', () => {
    const restated = [range('2020', '1', EARLY, DAY), range('2020', '2', DAY)];
    const others = [range('2021', '1', EARLY), range('2022', '1', EARLY, GONE), range('2023', '1', DAY)];
    expect(derivePresence([...restated, ...others], DAY)).toEqual([]);
  });

  it('knows every value that a figure had', () => {
    const ranges = [
      range('2022', '1', '2025-01-01', '2025-06-01'),
      range('2022', '1.5', '2025-06-01', GONE),
      range('2022', '2', DAY),
      range('2023', '9', EARLY),
    ];
    expect(earlierOf(ranges, '2022', DAY).map(({ value }) => value)).toEqual(['1', '1.5', null]);
  });

  it('counts the restatements that are too small for a change', () => {
    const ranges = [
      range('2020', '1000', EARLY, DAY),
      range('2020', '1001', DAY),
      range('2021', '1000', EARLY, DAY),
      range('2021', '1010', DAY),
      range('2022', '1000', EARLY, DAY),
      range('2022', '1000.0', DAY),
      // The United States' GDP of 2001, first in thousands, then in millions of dollars.
      range('2024', '10581929774000', EARLY, DAY),
      range('2024', '10581929000000', DAY),
      range('2023', '1000', EARLY, GONE),
      range('2023', '1000.5', DAY),
    ];
    expect(countSmaller(ranges, DAY)).toBe(1);
  });
});

describe('The texts of a withdrawn or returned figure', () => {
  const subject = {
    unit: 'percent' as const,
    currency: null,
    name: { en: 'Inflation', zh: '通胀率', ja: 'インフレ率' },
    region: { en: 'Argentina', zh: '阿根廷', ja: 'アルゼンチン' },
    publisher: { en: 'World Bank', zh: '世界银行', ja: '世界銀行' },
    wording: { verb: 'level' as const, sides: null } as never,
  };
  const texts = (ranges: readonly KnownRange[], of: Partial<SeriesNames> = {}) => {
    const [change] = derivePresence(ranges, DAY);
    if (change === undefined) throw new Error('The rule finds one');
    return presenceTexts({ subject: { ...subject, ...of }, change, day: DAY, basis: 'retrieved' });
  };

  it('name the value that was withdrawn', () => {
    const { headline } = texts([range('2022', '72.43', EARLY, DAY)]);
    expect(headline).toEqual({
      en: 'Argentina: 2022 figure for inflation withdrawn by the source; it was 72.43%',
      zh: '发布机构撤回阿根廷2022年通胀率数据，撤回前为72.43%',
      ja: 'アルゼンチンの2022年のインフレ率、公表元が値を取り下げ（取り下げ前は72.43%）',
    });
  });

  it('name what came back, and through which values the figure went', () => {
    const { headline, summary } = texts([range('2022', '72.43', EARLY, GONE), range('2022', '70.1', DAY)]);
    expect(headline.en).toBe(
      'Argentina: 2022 figure for inflation back in the source: 70.10%, against 72.43% when it was withdrawn',
    );
    expect(summary.en).toContain(
      'Earlier values for 2022, by vintage: 72.43% (10 January 2026), withdrawn (20 January 2026).',
    );
    const { headline: same } = texts([range('2022', '72.43', EARLY, GONE), range('2022', '72.43', DAY)]);
    expect(same.en).toBe('Argentina: 2022 figure for inflation back in the source, unchanged: 72.43%');
    const back = texts([range('2022', '2.7576090942427', EARLY, GONE), range('2022', '2.7576090942428', DAY)]);
    expect(back.headline.en).toBe('Argentina: 2022 figure for inflation back in the source, unchanged: 2.8%');
    expect(back.summary.en).toContain('by vintage: 2.76% (10 January 2026), withdrawn (20 January 2026).');
  });

  it('name the side of a balance, and nothing as nothing', () => {
    const found = readCatalogue().indicators.find(({ slug }) => slug === 'current-account-balance');
    if (found === undefined) throw new Error('The catalogue has balances');
    const balance = { unit: 'usd', name: found.name, wording: found.wording as never } as const;
    const { headline } = texts([range('1991', '-26480000000', EARLY, DAY)], balance);
    expect(headline.en).toMatch(/withdrawn by the source; it was a deficit of \$26\.48 billion$/);
    const back = texts([range('2006', '0', EARLY, GONE), range('2006', '5250000000', DAY)], balance);
    expect(back.headline.en).toMatch(/: a surplus of \$5\.25 billion, against \$0 when it was withdrawn$/);
    const earlier = (actual: string): string | undefined => {
      const returned = [range('2006', '-4100000000', EARLY, GONE), range('2006', actual, DAY)];
      return /by vintage: (.+?) \(/.exec(texts(returned, balance).summary.en)?.[1];
    };
    expect(['-5250000000', '5250000000'].map(earlier)).toEqual(['$4.1 billion', '−$4.1 billion']);
  });
});
