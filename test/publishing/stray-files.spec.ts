// runs: in full only
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openOwnFiles, strayLine } from '../../src/publish/import/stray-files.js';
import { IMPORTERS } from '../../src/publish/publishers/importers.js';

const DAY = '2026-07-01';
const FILES: Readonly<Record<string, string>> = {
  'gdp/NY.GDP.MKTP.KD.ZG.csv': 'Country Name,Country Code,Year,Value\nJapan,JPN,2025,1.1\n',
  'rates/rates.csv': 'Date,USD,\n2026-07-01,1.1684,\n',
  'leis/entities.csv': 'lei,legal_name,country\n',
  'page/page.html': '<!doctype html><title>Not found</title>\n',
  'empty/NE.TRD.GNFS.ZS.csv': '',
  'error/SP.POP.TOTL.csv': '<!doctype html><title>Service unavailable</title>\n',
  'cut/FP.CPI.TOTL.ZG.csv': 'Country Name,Coun',
  'cut/tickers.json': '{"0":{"cik',
  'schedules/cpi.csv':
    'release_date,time,time_zone,indicator,region,period,estimate,status,source_url\n' +
    '2026-08-12,08:30,America/New_York,consumer-price-index,US,2026-07,,scheduled,https://www.bls.gov\n',
  'decisions/fed.csv': 'effective_date,upper,lower\n2026-06-18,4.00,3.75\n',
};

describe('A folder of an import', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark-strays-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const given = async (...names: string[]): Promise<string[]> => {
    const paths = names.map((name) => join(folder, name.replace(/^.*\//, '')));
    for (const [at, name] of names.entries()) {
      await mkdir(dirname(paths[at] ?? ''), { recursive: true });
      await writeFile(paths[at] ?? '', FILES[name] ?? '');
    }
    return paths;
  };
  const open = (publisher: string, paths: readonly string[]) => {
    const importer = IMPORTERS[publisher];
    if (importer === undefined) throw new Error(publisher);
    return openOwnFiles(importer, Object.values(IMPORTERS), paths, DAY);
  };

  it.each(['worldbank', 'ecb'])('gives %s its files, and leaves the others out with their publisher', async (name) => {
    await given('gdp/NY.GDP.MKTP.KD.ZG.csv', 'rates/rates.csv', 'page/page.html');
    const { deliveries, strays } = await open(name, [folder]);
    expect(deliveries.map(({ vintage }) => vintage)).toEqual([DAY]);
    const other = name === 'ecb' ? ['NY.GDP.MKTP.KD.ZG.csv', 'worldbank'] : ['rates.csv', 'ecb'];
    expect(strays.map(({ path, publisher }) => [path.slice(folder.length + 1), publisher])).toEqual(
      expect.arrayContaining([other, ['page.html', null]]),
    );
    expect(strays).toHaveLength(2);
    expect(strays.map(strayLine).join('\n')).toContain(`is a file of ${other[1] ?? ''}: import it with that name`);
  });

  it.each(['empty/NE.TRD.GNFS.ZS.csv', 'error/SP.POP.TOTL.csv', 'cut/FP.CPI.TOTL.ZG.csv', 'cut/tickers.json'])(
    'fails as a whole, and names the file, if %s is broken',
    async (broken) => {
      await given('gdp/NY.GDP.MKTP.KD.ZG.csv', 'rates/rates.csv', broken);
      const name = broken.replace(/^.*\//, '');
      await expect(open('worldbank', [folder])).rejects.toThrow(
        new RegExp(`^Nothing was imported: .*; [^;]*${name}[^;]*$`, 's'),
      );
    },
  );

  it.each([
    ['schedules/cpi.csv', 'bls-schedule'],
    ['decisions/fed.csv', 'frb'],
    ['rates/rates.csv', 'ecb'],
  ])('names the publisher of %s, and no other', async (other, publisher) => {
    await given('gdp/NY.GDP.MKTP.KD.ZG.csv', other);
    expect((await open('worldbank', [folder])).strays).toMatchObject([{ publisher }]);
  });

  it('fails with every reason if none of its files is the publisher’s', async () => {
    await given('rates/rates.csv', 'page/page.html');
    await expect(open('worldbank', [folder])).rejects.toThrow(
      /^No file is one of worldbank; .*page\.html.*; .*rates\.csv is a file of ecb/s,
    );
  });

  it('does not excuse a file that is named itself', async () => {
    const [path = ''] = await given('page/page.html');
    await expect(open('worldbank', [path])).rejects.toThrow('page.html');
  });
});
