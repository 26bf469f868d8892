import { MALFORMED, MAX_URL_BYTES, parseQuery, queryIn } from '../../src/http/request/query-parser.js';

describe('A query', () => {
  it('gives one value a name, all of a name that is repeated, and says what is no text', () => {
    expect({ ...parseQuery('a=1&b=x+y&b=%7A&&c&%ff=1&d=%00') }).toEqual({
      ...{ a: '1', b: ['x y', 'z'], c: '', d: MALFORMED },
      '%ff': MALFORMED,
    });
  });

  it('takes a name that is repeated as often as an address has room for', () => {
    const { a } = parseQuery('a&'.repeat(30_000));
    expect(a).toHaveLength(30_000);
  });

  it('names a locale, by any spelling where the address is not too long to be taken apart', () => {
    const long = 'a&'.repeat(MAX_URL_BYTES);
    expect(queryIn('loc%61le=ja')).toMatchObject({ locale: 'ja' });
    expect(queryIn(`${long}locale=ja`)).toEqual({ locale: 'ja' });
    expect(queryIn(`${long}loc%61le=ja`)).toEqual({});
    expect(queryIn('locale=ja&locale=zh')).toMatchObject({ locale: ['ja', 'zh'] });
  });
});
