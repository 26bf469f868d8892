import instruments from '../../data/catalogue/instruments.json' with { type: 'json' };
import regions from '../../data/catalogue/regions.json' with { type: 'json' };
import sources from '../../data/catalogue/sources.json' with { type: 'json' };
import { unitNamed } from '../../src/domain/figures/units.js';
import { LOCALES } from '../../src/domain/locale/locale.js';

const KANA = /[\u3041-\u30ff]/;
const HALF_WIDTH = /[,;:()!?]/;
const repeated = (values: readonly string[]): string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

describe('The catalogue’s instruments', () => {
  it('have unique keys, publishers’ codes and orders', () => {
    expect(repeated(instruments.map(({ key }) => key))).toEqual([]);
    expect(repeated(instruments.map(({ provider, providerCode }) => `${provider} ${providerCode}`))).toEqual([]);
    expect(instruments.map(({ order }) => order)).toEqual(instruments.map((_, index) => index + 1));
  });

  it('have distinct names in every language', () => {
    for (const locale of LOCALES) expect(repeated(instruments.map(({ name }) => name[locale]))).toEqual([]);
  });

  it('name an existing source, unit and regions, with the currency of the unit', () => {
    const known = { source: sources.map(({ id }) => id), region: regions.map(({ code }) => code) };
    for (const { key, source, regions: named, unit, currency, kind } of instruments) {
      expect(known.source).toContain(source);
      expect(known.region).toEqual(expect.arrayContaining(named));
      const { currency: paid, dimension } = unitNamed(unit);
      expect({ key, currency: kind === 'fx' ? key.slice(3).toUpperCase() : paid }).toEqual({ key, currency });
      expect({ key, fx: dimension === 'exchange_rate' }).toEqual({ key, fx: kind === 'fx' });
    }
  });

  it('have names in three languages, with full-width punctuation in Chinese and Japanese', () => {
    for (const { key, name, description } of instruments) {
      const odd = [name, description].filter(
        (text) => KANA.test(text.zh) || HALF_WIDTH.test(text.zh) || HALF_WIDTH.test(text.ja),
      );
      expect({ key, odd }).toEqual({ key, odd: [] });
      expect({ key, end: [description.en.at(-1), description.zh.at(-1), description.ja.at(-1)] }).toEqual({
        key,
        end: ['.', '。', '。'],
      });
    }
  });
});
