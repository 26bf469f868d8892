import { companyKeys, leadingKey, leadingKeys, nameKey, singularKey } from '../../src/domain/search/names.js';

describe('The key of a name', () => {
  it.each([
    ['The Coca-Cola Company', 'COCA COLA CO'],
    ['COMMERZBANK Aktiengesellschaft', 'Commerzbank AG'],
    ['Jack Henry & Associates, Inc.', 'HENRY JACK & ASSOCIATES INC'],
    ['A. O. Smith Corporation', 'SMITH A O CORP'],
    ['Nestlé S.A.', 'NESTLE SA'],
    ['Marsh & McLennan Companies', 'MARSH AND MCLENNAN COS'],
    ['Alphabet Inc. (Class A)', 'Alphabet Inc'],
    ['BRK.B', 'BRK-B'],
    ['0000320193', '320193'],
  ])('is one for %s and %s', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  it.each([
    ['Acme Inc', 'Acme Corp'],
    ['AMP', 'AMPS'],
    ['EUR/USD', 'EUR/JPY'],
  ])('tells %s from %s', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other));
  });

  it('is in the singular one for a word and its plural', () => {
    expect(singularKey(nameKey("McDonald's"))).toBe(singularKey(nameKey('McDonald')));
  });
});

describe('The leading keys of a listed company', () => {
  it('are those of what people call it by, and never of the whole name', () => {
    const [cisco, both] = leadingKeys('CISCO SYSTEMS, INC.');
    expect(cisco).toBe(leadingKey(nameKey('Cisco')));
    expect(both).toBe(leadingKey(nameKey('Cisco Systems')));
    expect(leadingKeys('CISCO SYSTEMS, INC.')).not.toContain(leadingKey(nameKey('Cisco Systems Inc')));
    expect(leadingKeys('Visa')).toEqual([]);
  });
});

describe('The keys of a company', () => {
  it.each([
    ['MARSH & MCLENNAN COMPANIES, INC.', ['cos inc marsh mclennan', 'cos marsh mclennan', 'marsh mclennan']],
    ['BANK OF AMERICA CORP /DE/', ['america bank corp de of', 'america bank corp of', 'america bank of']],
    ['トヨタ自動車株式会社', ['トヨタ自动车株式会社', 'トヨタ自动车']],
    ['株式会社', ['株式会社']],
    ['Group', ['group']],
  ])('are those of %s', (name, keys) => {
    expect(companyKeys(name)).toEqual(keys);
  });
});
