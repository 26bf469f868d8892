// runs: in full only
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { readApiPage } from '../../src/publish/publishers/worldbank/api-rows.js';
import { worldbank } from '../../src/publish/publishers/worldbank/worldbank.importer.js';
import { describeWithAllSharedData, sharedData } from '../support/shared-data.js';
import { brief, gather, read } from './reading.js';

describeWithAllSharedData("The World Bank importer on the publisher's files", () => {
  const captured = (name: string): string =>
    sharedData('api-fixtures/worldbank-v2', `TestIndicatorValuesService_${name}.json`);

  // The import tests compare the later vintages, figure by figure.
  it('reads all figures of a vintage', async () => {
    const [first] = await worldbank.open([sharedData('worldbank-wdi-vintages')], null);
    const { figures, bad, extents } = await read(first);
    expect([first?.vintage, figures.length, bad.length, extents.length]).toEqual(['2025-12-17', 52_706, 0, 29]);
  }, 180_000);

  it('reads the same figures from the wide file as from the long files of that day', async () => {
    const [wide] = await worldbank.open([sharedData('worldbank-wdi/WDICSV-subset.csv')], '2026-07-01');
    const [long] = await worldbank.open([sharedData('worldbank-wdi-vintages/2026-07-01')], null);
    const [fromWide, fromLong] = [await read(wide), await read(long)];
    expect(fromWide.bad).toEqual([]);
    expect(fromWide.extents.length).toBe(1_783);
    expect(fromLong.figures).toHaveLength(59_993);
    expect(fromWide.figures.map(brief).sort()).toEqual(fromLong.figures.map(brief).sort());
  }, 180_000);

  it('reads responses in the layout of the API', async () => {
    const [delivery] = await worldbank.open([sharedData('worldbank-wdi/api-v2-relaid')], null);
    const { figures, bad, extents } = await read(delivery);
    expect(delivery).toMatchObject({ vintage: '2026-07-01', basis: 'updated' });
    expect(bad).toEqual([]);
    expect(extents).toHaveLength(48);
    expect(figures.map(brief)).toContain('FP.CPI.TOTL.ZG USA 2024 2.94952520485207');
  });

  it('reads the rows of captured pages, and refuses to import a page without the others', async () => {
    const path = captured('ListByCountryIDs');
    const { figures, bad, extents } = await gather(readApiPage(createReadStream(path), path));
    expect(bad).toEqual([]);
    expect(figures.map(brief)).toContain('NY.GDP.MKTP.CD JPN 2019 5081769542379.77');
    expect(extents).toEqual([{ indicator: 'NY.GDP.MKTP.CD', region: 'JPN', first: '1971', last: '2020' }]);
    await expect(worldbank.open([path], null)).rejects.toThrow('page 2 of 3 of NY.GDP.MKTP.CD is missing');
  });

  it.each([
    ['ListByCountryIDs-2', 'Invalid value: The provided parameter value is not valid (120)'],
    ['ListBySourceID-3', 'Request Error The server encountered an error processing the request.'],
    ['ListByCountryIDsAndSourceID', 'page 2 of 5 of NY.GDP.MKTP.CD is missing'],
  ])('refuses the captured response %s with its own message', async (name, words) => {
    await expect(worldbank.open([captured(name)], null)).rejects.toThrow(words);
    expect((await readFile(captured(name))).length).toBeGreaterThan(0);
  });
});
