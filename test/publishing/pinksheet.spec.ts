import { frbH15 } from '../../src/publish/publishers/frb-h15.js';
import { worldbankPinksheet } from '../../src/publish/publishers/worldbank-pinksheet.js';
import { marketFixture } from '../support/markets.js';
import { usePriceFiles, UTF_16 } from './price-files.js';
import { brief, read, spot } from './reading.js';

const GOLD = 'Date,Price\n2026-05,4587.000\n2026-06,4228.000\n';

describe('The Pink Sheet importer', () => {
  const files = usePriceFiles(worldbankPinksheet);

  it('reads monthly gold prices with the printed decimals', async () => {
    const [delivery] = await worldbankPinksheet.open([marketFixture('worldbank-pinksheet')], null);
    expect(delivery).toMatchObject({ vintage: '2026-07-07', basis: 'retrieved' });
    const { figures, bad, extents } = await read(delivery);
    expect(bad).toEqual([]);
    expect(figures).toHaveLength(12);
    expect(figures.map(brief)).toContain('Gold  2026-06 4228.000');
    expect(extents).toEqual([{ indicator: 'Gold', region: null, first: '2025-07', last: '2026-06' }]);
  });

  it('reads the column as the workbook names it, and passes over empty rows at the end', async () => {
    const text = `${GOLD.replace('Price', 'Gold')},\r\n`;
    const { figures, bad } = await files.read('gold.csv', text, '2026-08-05');
    expect([figures.map(brief), bad]).toEqual([['Gold  2026-05 4587.000', 'Gold  2026-06 4228.000'], []]);
  });

  it.each([
    ['2026-13,4228\n', '4:Date: "2026-13" is not a date such as 2026-06'],
    ['2026-07-01,4228\n', '4:Date: "2026-07-01" is not a date such as 2026-06'],
    ['2026-07,-1\n', '4:Price: "-1" is no price of gold: one is above zero'],
    ['2026-07,"4,228"\n', '4:Price: "4,228" is not a number'],
    ['2026-07,4228,1\n', '4:: expected 2 columns and found 3'],
    [
      '2026-07,4228',
      '4:: the file ends inside this line, so it may be cut; end the line with a line break if it is whole',
    ],
  ])('reports the row %j as bad', async (row, expected) => {
    expect((await files.read('gold.csv', GOLD + row, '2026-08-05')).bad.map(spot)).toEqual([expected]);
  });

  it.each<readonly [string, string, string | Uint8Array, RegExp]>([
    ['a file that is named for something else', 'silver.csv', GOLD, /expected a file named monthly\.csv or gold\.csv/],
    ['another column', 'gold.csv', 'Date,Silver\n2026-06,40\n', /the column "Silver" is not known/],
    ['HTML', 'gold.csv', '<html>Moved</html>', /HTML or XML that says "Moved"/],
    ['UTF-16', 'gold.csv', UTF_16(GOLD), /is not text in UTF-8/],
  ])('refuses %s', async (_, name, content, expected) => {
    expect(await files.refusal(name, content, '2026-08-05')).toMatch(expected);
  });

  it('refuses a month that had not begun on the vintage day', async () => {
    expect(await files.refusal('gold.csv', GOLD, '2026-05-31')).toMatch(/2026-06 lies after the vintage day/);
  });
});

describe('The H.15 importer', () => {
  const files = usePriceFiles(frbH15);

  it('reads months that are written as their first day', async () => {
    const [delivery] = await frbH15.open([marketFixture('frb-h15')], null);
    const { figures, bad } = await read(delivery);
    expect(bad).toEqual([]);
    expect(figures.map(brief)).toContain('RIFLGFCY10_N.M  2026-06 4.47');
  });

  it('reads a month that is written as another one of its days', async () => {
    const text = 'Date,Rate\n2026-05-18,4.47\n2026-06-18,4.5\n2026-07,4.4\n';
    const { figures, bad } = await files.read('monthly.csv', text, '2026-08-01');
    expect(figures.map(brief)).toEqual(['RIFLGFCY10_N.M  2026-05 4.47', 'RIFLGFCY10_N.M  2026-06 4.5']);
    expect(bad.map(spot)).toEqual(['4:Date: "2026-07" is not a date such as 2026-06-01']);
  });
});
