import { changeId } from '../../src/publishing/derive/change-id.js';
import { changeTexts, type ChangeFacts } from '../../src/publishing/derive/change-texts.js';
import { compileTemplate } from '../../src/locale/templates.js';
import { CHANGE_TEMPLATES } from '../../src/publishing/derive/templates.js';
import type { UnitCode } from '../../src/figures/units.js';

const all = (en: string, zh: string, ja: string) => ({ en, zh, ja });

const facts = (traits: {
  readonly kind?: 'release' | 'revision';
  readonly unit?: UnitCode;
  readonly actual: string;
  readonly previous: string | null;
  readonly missing?: 'not_published' | 'withdrawn_by_source';
  readonly delta: string | null;
  readonly percent?: string;
  readonly basis?: 'released' | 'retrieved';
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
  },
  delta: traits.delta,
  deltaPercent: traits.percent ?? null,
  day: '2026-07-01',
  basis: traits.basis ?? 'retrieved',
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
      en: 'Japan: GDP rose to $4.19 trillion in 2025 from $4.07 trillion in 2024',
      zh: '日本2025年GDP为4.19万亿美元，较2024年的4.07万亿美元增长',
      ja: '日本のGDP、2025年は4兆1900億ドルに増加（2024年は4兆700億ドル）',
    });
    expect(summary.en).toBe(
      'Japan: GDP rose by $120 billion (2.9%) to $4.19 trillion in 2025, ' +
        'from $4.07 trillion in 2024. Source: World Bank, as retrieved on 1 July 2026.',
    );
    expect(summary.zh).toContain('比2024年（4.07万亿美元）增长1200亿美元（2.9%）。');
    expect(summary.ja).toContain('2024年の4兆700億ドルから1200億ドル（2.9%）増加した。');
  });

  it('state a revision with its direction, its size and the age of the earlier figure', () => {
    const { headline, summary } = changeTexts(
      facts({ kind: 'revision', actual: '3.9562379', previous: '4.0246085', delta: '-0.0683706' }),
    );
    expect(headline.en).toBe('Japan: GDP for 2025 revised down from 4.02% to 3.96%');
    expect(headline.zh).toBe('日本2025年GDP由4.02%下修至3.96%');
    expect(headline.ja).toBe('日本の2025年のGDP、4.02%から3.96%に下方改定');
    expect(summary.en).toBe(
      'Japan: the 2025 figure for GDP was revised down by 0.06 percentage points, from 4.02% to 3.96%. ' +
        'The earlier figure had stood since 17 December 2025. ' +
        'Source: World Bank, as retrieved on 1 July 2026.',
    );
  });

  it('show enough decimals to distinguish two figures', () => {
    const { headline } = changeTexts(
      facts({ kind: 'revision', actual: '1.23456', previous: '1.23412', delta: '0.00044' }),
    );
    expect(headline.en).toContain('from 1.2341% to 1.2346%');
  });

  it('give the reason for a missing comparison', () => {
    const texts = (missing: 'not_published' | 'withdrawn_by_source') =>
      changeTexts(facts({ actual: '1.5', previous: null, missing, delta: null }));
    expect(texts('not_published').headline.en).toBe('Japan: GDP 1.5% in 2025');
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

  it('exist in all three languages with the same keys', () => {
    const keys = (value: unknown, path = ''): string[] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, inner]) => keys(inner, `${path}.${key}`))
        : [path];
    expect(keys(CHANGE_TEMPLATES.zh)).toEqual(keys(CHANGE_TEMPLATES.en));
    expect(keys(CHANGE_TEMPLATES.ja)).toEqual(keys(CHANGE_TEMPLATES.en));
  });

  it('cannot be written with a missing argument', () => {
    expect(() => compileTemplate('{name} is {value}')({ name: 'x' })).toThrow('{value}');
  });
});

describe('The id of a change', () => {
  const identity = {
    kind: 'release',
    indicator: 'gdp-growth',
    region: 'JP',
    period: '2025',
    vintageDay: '2026-07-01',
  };

  it('is the same for the same change, in every database', () => {
    expect(changeId(identity)).toBe(changeId({ ...identity }));
    expect(changeId(identity)).toMatch(/^chg_[A-Za-z0-9_-]{27}$/);
  });

  it.each(['kind', 'indicator', 'region', 'period', 'vintageDay'])('differs with the %s', (member) => {
    expect(changeId({ ...identity, [member]: 'other' })).not.toBe(changeId(identity));
  });
});
