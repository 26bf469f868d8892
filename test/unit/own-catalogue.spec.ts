import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { verbForms } from '../../src/domain/figures/wording.js';
import { loadCatalogue } from '../../src/publish/catalogue/catalogue.js';

const name = { en: 'Shops', zh: '门店', ja: '店舗' };

const source = {
  id: 'acme',
  name,
  publisher: name,
  url: 'https://acme.example',
  level: 'company',
  licence: 'cc-by-4.0',
  attribution: name,
};
const timetable = {
  id: 'acme-monthly',
  provider: 'acme',
  timeZone: 'Europe/Berlin',
  time: '09:00',
  releases: { on: 'day' },
  delayDays: 5,
  graceDays: 5,
};
const indicator = {
  slug: 'acme-shops',
  provider: 'acme',
  providerCode: 'SHOPS',
  timetable: 'acme-monthly',
  source: 'acme',
  unit: 'person',
  frequency: 'M',
  name,
  shortName: name,
  description: name,
  attention: 50,
  wording: { verb: 'rise' },
  topics: ['population'],
  coverage: ['growth'],
  origins: [],
  order: 100,
};

const without = (entry: object, member: string): object =>
  Object.fromEntries(Object.entries(entry).filter(([one]) => one !== member));

describe('An operator’s own catalogue', () => {
  let dir: string;
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'tidemark-catalogue-'))));
  afterEach(() => rmSync(dir, { recursive: true }));

  /** Each fault as file, entry and reason. */
  const faultsOf = (files: Readonly<Record<string, unknown>>): string[] => {
    for (const [file, content] of Object.entries(files)) {
      writeFileSync(join(dir, file), typeof content === 'string' ? content : JSON.stringify(content));
    }
    return loadCatalogue(dir).faults.map(({ file, entry, reason }) => `${basename(file)} ${entry ?? '-'}: ${reason}`);
  };
  const own = { 'sources.json': [source], 'timetables.json': [timetable] };

  it('adds entries to the shipped ones', () => {
    expect(faultsOf({ ...own, 'indicators.json': [indicator] })).toEqual([]);
    const { indicators } = loadCatalogue(dir).catalogue;
    expect(indicators.at(-1)).toMatchObject({ slug: 'acme-shops', seriesUrl: null, board: false });
    expect(indicators.length).toBe(loadCatalogue(null).catalogue.indicators.length + 1);
  });

  it('states an identity with as many others as it has, each of which the catalogue knows', () => {
    const stating = (is: string, of: readonly string[]) =>
      faultsOf({ ...own, 'indicators.json': [{ ...indicator, identity: { is, of, tolerance: 0.01 } }] });
    expect(stating('quotient', ['population'])).toEqual([
      expect.stringMatching(/^indicators\.json acme-shops: identity\.of: as many/),
    ]);
    expect(stating('quotient', ['population', 'gpd'])).toEqual([
      'indicators.json acme-shops: indicator: the catalogue has no indicator gpd',
    ]);
    expect(stating('converted', ['gdp-growth', 'gdp-deflator-inflation', 'official-exchange-rate'])).toEqual([]);
  });

  it('names currencies of its own, which a region or an instrument may then have', () => {
    const region = { code: 'DE', currency: 'XNW' };
    expect(faultsOf({ 'regions.json': [region] })).toEqual([
      'regions.json DE: currency: the catalogue has no currency XNW',
    ]);
    const points = { en: 'Nordwind point', zh: '北风积分', ja: 'ノルトヴィントポイント' };
    expect(faultsOf({ 'currencies.json': [{ code: 'XNW', name: points, amount: points }] })).toEqual([]);
  });

  it('brings a verb of its own in three languages', () => {
    const forms = { up: { past: 'opened', noun: 'openings' }, down: { past: 'closed', noun: 'closures' } };
    const given = (verb: object) => ({ ...own, 'indicators.json': [{ ...indicator, wording: { verb } }] });
    expect(faultsOf(given({ en: forms, zh: forms }))).toEqual([
      expect.stringMatching(/^indicators\.json acme-shops: wording\.verb/),
    ]);
    expect(faultsOf(given({ en: forms, zh: forms, ja: forms }))).toEqual([]);
    const { wording } = loadCatalogue(dir).catalogue.indicators.at(-1) ?? {};
    expect(wording && verbForms('ja', wording.verb, true, false)).toEqual(forms.down);
  });

  it('may have the texts of a language in a file of their own', () => {
    const [{ ja, ...others }, sources] = [name, [{ ...source, name: { en: 'Shops', zh: '门店' } }]];
    const files = { 'sources.json': sources, 'ja.json': { sources: { acme: { name: ja } } } };
    expect(faultsOf(files)).toEqual([]);
    const found = loadCatalogue(dir).catalogue.sources.find(({ id }) => id === 'acme');
    expect(found?.name).toEqual({ ...others, ja });
    expect(faultsOf({ 'ja.json': { sources: { acme: { name: ja }, acne: { name: ja } } } })).toEqual([
      'sources.json acne: has a translation and no entry',
    ]);
    expect(faultsOf({ 'ja.json': '{' })).toEqual([
      expect.stringMatching(/^ja\.json -: is not JSON/),
      'sources.json acme: name.ja: is missing',
    ]);
  });

  it('replaces the members that it gives of a shipped entry', () => {
    const found = (slug: string) => loadCatalogue(dir).catalogue.indicators.find((one) => one.slug === slug);
    expect(faultsOf({ 'indicators.json': [{ slug: 'gdp', board: false, attention: 31 }] })).toEqual([]);
    expect(found('gdp')).toMatchObject({ board: false, attention: 31, unit: 'usd' });
  });

  it.each<[what: string, files: Readonly<Record<string, unknown>>, fault: string]>([
    [
      'an unknown unit',
      { ...own, 'indicators.json': [{ ...indicator, unit: 'parsec' }] },
      'indicators.json acme-shops: unit: the catalogue has no unit parsec',
    ],
    [
      'a holiday that not every year has',
      { 'holidays.json': [{ id: 'mars', days: [{ on: 'date', date: '02-29' }] }] },
      'holidays.json mars: days.0.date: is no MM-DD of every year',
    ],
    [
      'unknown holidays',
      { 'timetables.json': [{ ...timetable, holidays: 'mars' }] },
      'timetables.json acme-monthly: holidays: the catalogue has no holidays mars',
    ],
    [
      'unknown holidays of a unit',
      { 'units.json': [{ code: 'percent', limits: { holidays: 'mars' } }] },
      'units.json percent: holidays: the catalogue has no holidays mars',
    ],
    [
      'a missing language',
      { ...own, 'indicators.json': [{ ...indicator, name: { en: 'Shops', zh: '门店' } }] },
      'indicators.json acme-shops: name.ja: is missing',
    ],
    [
      'a key that stands there twice',
      { ...own, 'indicators.json': [indicator, indicator] },
      'indicators.json acme-shops: stands here twice',
    ],
    [
      'an alias of another entry',
      { 'aliases.json': { indicator: { gdp: ['CPI'] } } },
      'aliases.json gdp: the alias “CPI” is that of cpi-inflation',
    ],
    [
      'an alias of nothing',
      { 'aliases.json': { country: { ZZ: ['Nowhere'] } } },
      'aliases.json ZZ: the catalogue has no country ZZ',
    ],
    ['a file that is no JSON', { 'topics.json': '[{' }, 'topics.json -: is not JSON: Expected property name or'],
    ['a file that is no list', { 'topics.json': {} }, 'topics.json -: is no list of entries'],
    ['an entry without a key', { 'topics.json': [{ name }] }, 'topics.json number 1: has no "slug"'],
    [
      'a file of another name',
      { 'indicator.json': [] },
      'indicator.json -: is no file of a catalogue: those are units.json,',
    ],
    [
      'a source without licence',
      { 'sources.json': [without(source, 'licence')] },
      'sources.json acme: licence: is missing',
    ],
    [
      'a source with an unknown licence',
      { 'sources.json': [{ ...source, licence: 'mine' }] },
      'sources.json acme: licence: the catalogue has no licence mine',
    ],
    [
      'a served source whose licence forbids it',
      { 'sources.json': [{ ...source, licence: 'bis-terms' }] },
      'sources.json acme: its licence bis-terms allows no redistribution or derivation',
    ],
    [
      'an indicator without wording',
      { ...own, 'indicators.json': [without(indicator, 'wording')] },
      'indicators.json acme-shops: wording: is missing',
    ],
    [
      'an indicator without origins of a publisher of others’ figures',
      {
        'indicators.json': [{ ...indicator, provider: 'worldbank', timetable: 'wdi-annual', source: 'worldbank-wdi' }],
      },
      'indicators.json acme-shops: origins: worldbank-wdi republishes figures of others',
    ],
    [
      'a withheld source made public',
      { 'sources.json': [{ id: 'bis', withheld: false, licence: 'cc-by-4.0' }] },
      'sources.json bis: is withheld by the shipped catalogue, and stays so',
    ],
    [
      'a withheld publisher under another id',
      { 'sources.json': [{ ...source, publisher: { ...name, en: 'The Bank for International Settlements, Basel' } }] },
      'sources.json acme: its figures are those of bis, so it must be withheld',
    ],
    [
      'other terms of a shipped licence',
      { 'licences.json': [{ id: 'bis-terms', redistribution: true, derivation: true }] },
      'licences.json bis-terms: is a shipped licence, whose terms stay',
    ],
    [
      'another publisher’s timetable',
      { ...own, 'indicators.json': [{ ...indicator, timetable: 'wdi-annual' }] },
      'indicators.json acme-shops: timetable: acme has none named wdi-annual',
    ],
    [
      'a code of another indicator',
      { ...own, 'indicators.json': [indicator, { ...indicator, slug: 'acme-other' }] },
      'indicators.json acme-other: the code acme SHOPS is that of acme-shops',
    ],
    [
      'an unknown member',
      { 'regions.json': [{ code: 'US', wieght: 90 }] },
      'regions.json US: Unrecognized key: "wieght"',
    ],
    [
      'a mapping of a code that nothing has',
      {
        ...own,
        'indicators.json': [indicator],
        'mappings.json': [{ publisher: 'acme', period: 'Month', region: { code: 'DE' }, columns: { Sales: 'SALES' } }],
      },
      'mappings.json acme: columns: no indicator or instrument of it has the code SALES',
    ],
    [
      'a mapping that reads neither rows nor columns',
      {
        ...own,
        'indicators.json': [indicator],
        'mappings.json': [{ publisher: 'acme', period: 'Month', region: { code: 'DE' } }],
      },
      'mappings.json acme: has either "figure" or "columns"',
    ],
  ])('is refused for %s', (_what, files, fault) => {
    expect(faultsOf(files).map((line) => line.slice(0, fault.length))).toContain(fault);
  });

  it('is refused where the folder does not exist', () => {
    expect(loadCatalogue(join(dir, 'none')).faults).toEqual([
      { file: join(dir, 'none'), entry: null, reason: 'there is no such folder' },
    ]);
  });
});
