import { structureTexts, type StructureFacts } from '../../src/publish/derive/structures/structure-texts.js';
import { structureChangeId } from '../../src/publish/derive/structures/derive-structures.js';
import { structureChange, structureImportance } from '../../src/publish/derive/structures/structure.rule.js';
import { slugCandidates, slugOfName } from '../../src/publish/read-models/companies/company-slugs.js';
import { entityMatchName, matchName, registrantMatchName } from '../../src/publish/content/register/match-name.js';

describe('The rule of structure changes', () => {
  it.each([
    [{ before: false, now: true, coveredBefore: true }, 'began'],
    [{ before: false, now: true, coveredBefore: false }, null],
    [{ before: true, now: false, coveredBefore: true }, 'ended'],
    [{ before: true, now: false, coveredBefore: false }, 'ended'],
    [{ before: true, now: true, coveredBefore: true }, null],
    [{ before: false, now: false, coveredBefore: true }, null],
  ])('turns %j into %s', (facts, what) => {
    expect(structureChange(facts)).toBe(what);
  });

  it.each([
    [{ children: 1, regionWeight: 0 }, 20],
    [{ children: 0, regionWeight: 0 }, 20],
    [{ children: 32, regionWeight: 50 }, 40],
    [{ children: 1_000, regionWeight: 100 }, 60],
    [{ children: 50_000, regionWeight: 100 }, 60],
  ])('gives %j the importance %i', (weighing, importance) => {
    expect(structureImportance(weighing)).toBe(importance);
  });

  it('identifies a change by its subject alone', () => {
    const id = structureChangeId('A', 'B', 'began', '2026-01-01');
    expect(id).toMatch(/^chg_[A-Za-z0-9_-]{27}$/);
    const others = [
      structureChangeId('B', 'A', 'began', '2026-01-01'),
      structureChangeId('A', 'B', 'ended', '2026-01-01'),
      structureChangeId('A', 'B', 'began', '2026-01-02'),
    ];
    expect(new Set([id, ...others]).size).toBe(4);
  });
});

describe('The texts of a structure change', () => {
  const said: StructureFacts = {
    what: 'began',
    child: { lei: 'L1', name: 'Beta AG' },
    parent: { lei: 'L2', name: 'Alpha SE' },
    statedOn: '2026-01-15',
    publisher: { en: 'Register', zh: '登记机构', ja: '登録機関' },
    day: '2026-02-01',
    basis: 'retrieved',
  };

  it('state both entities, the day and the register, in each language', () => {
    const { headline, summary } = structureTexts(said);
    expect(headline).toEqual({
      en: 'Beta AG now directly consolidated by Alpha SE',
      zh: 'Beta AG纳入Alpha SE的合并报表范围（直接母公司）',
      ja: 'Beta AG、Alpha SEの直接の連結対象に',
    });
    expect(summary).toEqual({
      en: 'LEI records show that Alpha SE has directly consolidated Beta AG in its accounts since 15 January 2026. This is accounting consolidation, not a share of ownership. Source: Register, as retrieved on 1 February 2026.',
      zh: 'LEI登记信息显示，自2026年1月15日起，Beta AG的财务报表由Alpha SE直接合并。该信息反映会计上的合并关系，不代表持股比例。数据来源：登记机构，2026年2月1日获取。',
      ja: 'LEIの登録情報によると、Beta AGは2026年1月15日からAlpha SEの直接の連結対象である。会計上の連結関係を示すもので、出資比率を示すものではない。出典：登録機関、2026年2月1日取得。',
    });
  });

  it('use the LEI for an entity without a name', () => {
    const { headline } = structureTexts({ ...said, what: 'ended', child: { lei: 'L1', name: null } });
    expect(headline.en).toBe('The entity with LEI L1 no longer directly consolidated by Alpha SE');
    expect(headline.zh).toBe('LEI为L1的法人不再纳入Alpha SE的合并报表范围（直接母公司）');
    expect(headline.ja).toBe('LEI L1の法人、Alpha SEの直接の連結対象から外れる');
  });

  it('end no sentence in the stop of a name', () => {
    for (const [what, statedOn] of [
      ['began', null],
      ['began', '2026-01-15'],
      ['ended', null],
      ['ended', '2026-01-15'],
    ] as const) {
      const parties = { child: { lei: 'L1', name: 'Beta Inc.' }, parent: { lei: 'L2', name: 'Alpha Inc.' } };
      expect(structureTexts({ ...said, ...parties, what, statedOn }).summary.en).not.toContain('..');
    }
  });
});

describe('Names of companies', () => {
  it.each([
    ['Apple Inc.', 'APPLE INCORPORATED'],
    ['AMAZON.COM, INC.', 'Amazon Com Inc'],
    ['The Coca-Cola Company', 'COCA COLA CO'],
    ['Smith & Wesson Limited', 'SMITH AND WESSON LTD'],
  ])('match: %s and %s', (one, other) => {
    expect(matchName(one)).toBe(matchName(other));
  });

  it.each([
    ['Acme Inc', 'Acme Corp'],
    ['Acme LLC', 'Acme LP'],
    ['Acme Inc', 'Acme Holdings Inc'],
    ['Acme Inc', 'Acme'],
  ])('do not match: %s and %s', (one, other) => {
    expect(matchName(one)).not.toBe(matchName(other));
  });

  it('are compared without the state of registration', () => {
    expect(registrantMatchName('DANAHER CORP /DE/')).toBe(matchName('Danaher Corporation'));
    expect(registrantMatchName('QUALCOMM INC/DE')).toBe(matchName('Qualcomm Inc.'));
  });

  it('are compared only for active American legal entities, and only if long enough', () => {
    const acme = { name: 'Acme Inc', type: 'legal_entity', country: 'US', jurisdiction: 'US-DE', status: 'active' };
    expect(entityMatchName(acme)).toBe('acme inc');
    for (const other of [
      { jurisdiction: 'GB' },
      { jurisdiction: null },
      { type: 'fund' },
      { status: 'inactive' },
      { name: 'A & B' },
    ]) {
      expect({ other, match: entityMatchName({ ...acme, ...other }) }).toEqual({ other, match: null });
    }
  });

  it('yield slugs of Latin letters and digits, cut between words', () => {
    expect(slugOfName('Écluse & Söhne GmbH')).toBe('ecluse-sohne-gmbh');
    expect(slugOfName('株式会社')).toBe('');
    const long = slugOfName('The Very Long Name Of A Company That Does Not End In Time Limited');
    expect(long).toBe('the-very-long-name-of-a-company-that');
    expect(slugCandidates({ name: 'Acme', lei: null, cik: 42 })).toEqual(['acme', 'acme-42', 'acme-cik-42']);
    expect(slugCandidates({ name: '株式会社', lei: '529900K9B0N5BT694847', cik: null })).toEqual([
      '529900k9b0n5bt694847',
    ]);
  });
});
