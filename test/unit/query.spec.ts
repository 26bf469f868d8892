import { requestedLocale } from '../../src/http/respond.service.js';
import { MALFORMED, MAX_URL_BYTES, parseQuery } from '../../src/http/query.js';

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
    expect(requestedLocale({ url: '/api/v1/changes?loc%61le=ja' })).toBe('ja');
    expect(requestedLocale({ url: `/api/v1/changes?${long}locale=ja` })).toBe('ja');
    expect(requestedLocale({ url: `/api/v1/changes?${long}loc%61le=ja` })).toBe('en');
    expect(requestedLocale({ url: '/api/v1/changes?locale=ja&locale=zh' })).toBe('en');
  });
});
