import { readCatalogue } from '../../src/publish/catalogue/catalogue.js';
import { HEADLINE_INSTRUMENTS } from '../../src/serve/resources/briefs/brief-markets.view.js';

describe('The instruments of a brief', () => {
  it.each(HEADLINE_INSTRUMENTS)('are quoted daily and still published: %s', (key) => {
    const found = readCatalogue().instruments.find((instrument) => instrument.key === key);
    expect(found).toMatchObject({ nativeTimeframe: 'D1', average: false, discontinued: false });
    expect(['fx', 'commodity', 'rate']).toContain(found?.kind);
  });
});
