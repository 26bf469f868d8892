import { MALFORMED, MAX_URL_BYTES, parseQuery, queryIn } from '../../src/serve/http/request/query-parser.js';

describe('The query parser', () => {
  it('maps a name to its value, a repeated name to all values, and reports bytes that are not text', () => {
    expect({ ...parseQuery('a=1&b=x+y&b=%7A&&c&%ff=1&d=%00') }).toEqual({
      a: '1',
      b: ['x y', 'z'],
      c: '',
      d: MALFORMED,
      '%ff': MALFORMED,
    });
  });

  it('accepts a name that is repeated as often as the URL allows', () => {
    const { a } = parseQuery('a&'.repeat(30_000));
    expect(a).toHaveLength(30_000);
  });

  it('finds the locale in any spelling if the URL is not too long to be parsed', () => {
    const long = 'a&'.repeat(MAX_URL_BYTES);
    expect(queryIn('loc%61le=ja')).toMatchObject({ locale: 'ja' });
    expect(queryIn(`${long}locale=ja`)).toEqual({ locale: 'ja' });
    expect(queryIn(`${long}loc%61le=ja`)).toEqual({});
    expect(queryIn('locale=ja&locale=zh')).toMatchObject({ locale: ['ja', 'zh'] });
  });
});
