import coverage from '../../data/catalogue/coverage.json' with { type: 'json' };
import indicators from '../../data/catalogue/indicators.json' with { type: 'json' };
import instruments from '../../data/catalogue/instruments.json' with { type: 'json' };
import { OF_ENTITIES } from '../../src/publish/derive/merge-changes.js';
import regions from '../../data/catalogue/regions.json' with { type: 'json' };
import sources from '../../data/catalogue/sources.json' with { type: 'json' };
import topics from '../../data/catalogue/topics.json' with { type: 'json' };
import { readAliases } from '../../src/publish/catalogue/aliases.js';
import { SHORT_NAMES } from '../../src/serve/resources/search/named-places.rows.js';
import { UNITS, type UnitDefinition } from '../../src/domain/figures/units.js';
import { VOICES } from '../../src/domain/locale/voice/voices.js';
import { inAll, LOCALES, type Locale, type Localized } from '../../src/domain/locale/locale.js';

interface Text {
  readonly at: string;
  readonly text: Localized;
}

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const KANA = /[\u3041-\u30ff]/;
/** Traditional and Japanese forms of characters that Simplified Chinese writes differently. */
const NOT_SIMPLIFIED =
  /[貿際經濟済國價価產産業額險険務現實実權権總総團団勞労働縣県廣広圖図發発賣売氣気傳増観変対円駅営関]/;
/** Punctuation that Chinese and Japanese write in full width. */
const HALF_WIDTH = /[,;:()!?]/;

const units: readonly (UnitDefinition & { readonly code: string })[] = Object.entries(UNITS).map(([code, unit]) => ({
  code,
  ...unit,
}));

const names: readonly Text[] = [
  ...indicators.flatMap((item) => [
    { at: `${item.slug} name`, text: item.name },
    { at: `${item.slug} short name`, text: item.shortName },
  ]),
  ...regions.map((item) => ({ at: item.code, text: item.name })),
  ...coverage.map((item) => ({ at: item.key, text: item.name })),
  ...topics.map((item) => ({ at: item.slug, text: item.name })),
  ...sources.flatMap((item) => [
    { at: `${item.id} name`, text: item.name },
    { at: `${item.id} publisher`, text: item.publisher },
  ]),
  ...units.flatMap((item) => [
    { at: `${item.code} label`, text: item.label },
    { at: `${item.code} display`, text: item.display },
  ]),
  { at: 'percentage points', text: inAll((locale) => VOICES[locale].percentagePoints('2')) },
];

const sentences: readonly Text[] = [
  ...indicators.map((item) => ({ at: item.slug, text: item.description })),
  ...coverage.map((item) => ({ at: item.key, text: item.description })),
  ...topics.map((item) => ({ at: item.slug, text: item.description })),
  ...sources.map((item) => ({ at: item.id, text: item.attribution })),
];

const texts = [...names, ...sentences];

const failing = (items: readonly Text[], fails: (text: Localized) => boolean): string[] =>
  items.filter(({ text }) => fails(text)).map(({ at }) => at);

const repeated = (values: readonly (string | number)[]): (string | number)[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

const upTo = (length: number): number[] => Array.from({ length }, (_, index) => index + 1);

describe('The catalogue’s texts', () => {
  it('exist in all three languages, without surrounding blanks', () => {
    const lacking = (text: Localized) =>
      LOCALES.some((locale) => text[locale] === '' || text[locale] !== text[locale].trim());
    expect(failing(texts, lacking)).toEqual([]);
  });

  it('are Simplified Chinese in zh', () => {
    expect(failing(texts, ({ zh }) => KANA.test(zh) || NOT_SIMPLIFIED.test(zh))).toEqual([]);
  });

  it('are Japanese in every sentence in ja', () => {
    const descriptions = [...indicators, ...coverage, ...topics];
    expect(descriptions.filter((item) => !KANA.test(item.description.ja))).toEqual([]);
  });

  it('use full-width punctuation in zh and ja and none in en', () => {
    expect(failing(texts, ({ zh, ja }) => HALF_WIDTH.test(zh) || HALF_WIDTH.test(ja))).toEqual([]);
    expect(failing(texts, ({ en }) => /[\u3000-\u9fff\uff00-\uffef]/.test(en))).toEqual([]);
    expect(failing(texts, ({ zh, ja }) => /[「」]/.test(zh) || /[，《》]/.test(ja))).toEqual([]);
  });

  it('end a sentence, and no name, with a full stop', () => {
    const unfinished = ({ en, zh, ja }: Localized) => !(en.endsWith('.') && zh.endsWith('。') && ja.endsWith('。'));
    expect(failing(sentences, unfinished)).toEqual([]);
    expect(failing(names, ({ en, zh, ja }) => /[.。]$/.test(en + zh) || /[.。]$/.test(ja))).toEqual([]);
  });
});

describe('The catalogue’s indicators', () => {
  it('have slugs that fit a URL, and unique codes and orders', () => {
    const slugs = indicators.map((item) => item.slug);
    expect(slugs.filter((slug) => !SLUG.test(slug) || slug.length > 64)).toEqual([]);
    expect(repeated(slugs)).toEqual([]);
    expect(repeated(indicators.map((item) => `${item.provider} ${item.providerCode}`))).toEqual([]);
    expect(indicators.map((item) => item.order)).toEqual(upTo(indicators.length));
  });

  it('have distinct short names in every language', () => {
    for (const locale of LOCALES) {
      expect(repeated(indicators.map((item) => item.shortName[locale]))).toEqual([]);
    }
  });

  it('name an existing unit, topics, domains and origins', () => {
    const known = {
      units: new Set(Object.keys(UNITS)),
      topics: new Set(topics.map((item) => item.slug)),
      coverage: new Set(coverage.map((item) => item.key)),
      sources: new Set(sources.map((item) => item.id)),
    };
    for (const item of indicators) {
      expect(known.units).toContain(item.unit);
      expect(item.topics.length).toBeGreaterThan(0);
      expect(item.coverage.length).toBeGreaterThan(0);
      expect(item.topics.filter((slug) => !known.topics.has(slug))).toEqual([]);
      expect(item.coverage.filter((key) => !known.coverage.has(key))).toEqual([]);
      expect(item.origins.filter((id) => !known.sources.has(id))).toEqual([]);
    }
  });

  it('state a base year exactly if prices are constant', () => {
    const odd = indicators.filter((item) => (item.priceBasis === 'constant') !== (item.baseYear !== null));
    expect(odd).toEqual([]);
  });
});

/** Everything with topics and domains; `derive/merge-changes.ts` has those of entities. */
const subjects: readonly { readonly topics: readonly string[]; readonly coverage: readonly string[] }[] = [
  ...indicators,
  ...(instruments as { topics: string[]; coverage: string[] }[]),
  { topics: [OF_ENTITIES.topic], coverage: [OF_ENTITIES.coverage] },
];

describe('The catalogue’s domains and topics', () => {
  it('have unique keys and orders', () => {
    for (const keys of [coverage.map((item) => item.key), topics.map((item) => item.slug)]) {
      expect(keys.filter((key) => !SLUG.test(key) || key.length > 64)).toEqual([]);
      expect(repeated(keys)).toEqual([]);
    }
    expect(coverage.map((item) => item.order)).toEqual(upTo(coverage.length));
    expect(topics.map((item) => item.order)).toEqual(upTo(topics.length));
  });

  it('are each used by an indicator, an instrument or an entity', () => {
    const used = subjects.flatMap((item) => [...item.topics, ...item.coverage]);
    expect(coverage.filter((item) => !used.includes(item.key))).toEqual([]);
    expect(topics.filter((item) => !used.includes(item.slug))).toEqual([]);
  });

  it('agree: a topic belongs to exactly the domains of its subjects', () => {
    for (const topic of topics) {
      const domains = subjects.filter((item) => item.topics.includes(topic.slug)).flatMap((item) => item.coverage);
      expect({ topic: topic.slug, domains: [...topic.coverage].sort() }).toEqual({
        topic: topic.slug,
        domains: [...new Set(domains)].sort(),
      });
    }
  });
});

/** What statistics offices and the press write; the CLDR's own names are aliases. */
const PRESS_NAMES = new Map([
  ['US ja', '米国'],
  ['GB ja', '英国'],
  ['HK en', 'Hong Kong SAR'],
  ['HK zh', '中国香港'],
  ['HK ja', '香港'],
  ['MO en', 'Macao SAR'],
  ['MO zh', '中国澳门'],
  ['MO ja', 'マカオ'],
]);
const CLDR = process.versions['cldr'];
const itWithCldr48 = CLDR?.startsWith('48') === true ? it : it.skip;

describe('The catalogue’s regions', () => {
  itWithCldr48('have the names of the Unicode CLDR 48, with brackets in the width of the language', () => {
    const named = (locale: Locale, code: string): string | undefined => {
      const name = new Intl.DisplayNames([locale], { type: 'region' }).of(code);
      return locale === 'en' ? name : name?.replace(/ ?\(([^)]*)\)/, '（$1）');
    };
    const other = regions
      .filter(({ kind }) => kind === 'country')
      .flatMap(({ code, name }) =>
        LOCALES.filter((locale) => name[locale] !== (PRESS_NAMES.get(`${code} ${locale}`) ?? named(locale, code))).map(
          (locale) => `${code} ${name[locale]}`,
        ),
      );
    expect(other).toEqual([]);
  });

  it('are found by what their publishers and the press call them', () => {
    const names = (code: string) => readAliases().find((one) => one.type === 'country' && one.key === code)?.names;
    expect(names('HK')).toEqual(expect.arrayContaining(['Hong Kong SAR, China', '中国香港', '香港']));
    expect(names('MO')).toEqual(expect.arrayContaining(['Macao SAR, China', '中国澳门', 'マカオ']));
    expect(names('TW')).toEqual(expect.arrayContaining(['中国台湾', 'Chinese Taipei']));
    expect(names('FK')).toEqual(expect.arrayContaining(['马尔维纳斯群岛', 'Malvinas']));
    expect(names('PS')).toEqual(expect.arrayContaining(['West Bank and Gaza', '巴勒斯坦']));
    expect(names('US')).toContain('アメリカ合衆国');
    expect(names('GB')).toContain('イギリス');
  });

  it('have codes that identify one region each', () => {
    const codes = regions.flatMap((item) => [item.code, item.alpha3 ?? [], item.aliases].flat());
    expect(codes.filter((code) => !/^[A-Z0-9]{2,3}$/.test(code))).toEqual([]);
    expect(repeated(codes)).toEqual([]);
  });

  it('have an alpha-2 and an alpha-3 code for a country and a three-letter code for an aggregate', () => {
    const form = { country: /^[A-Z]{2} [A-Z]{3}$/, aggregate: /^[A-Z]{3} null$/ };
    const odd = regions.filter(
      (item) => !form[item.kind as keyof typeof form].test(`${item.code} ${String(item.alpha3)}`),
    );
    expect(odd).toEqual([]);
  });

  it('have distinct names in every language', () => {
    for (const locale of LOCALES) {
      expect(repeated(regions.map((item) => item.name[locale]))).toEqual([]);
    }
  });

  it('weigh between 5, where the size is unknown, and 100', () => {
    expect(regions.filter(({ weight: w }) => !Number.isInteger(w) || w < 5 || w > 100)).toEqual([]);
  });

  it('have an order exactly if they are on the board', () => {
    expect(regions.filter((item) => item.board !== (item.order !== null))).toEqual([]);
    const orders = regions.flatMap((item) => item.order ?? []).sort((a, b) => a - b);
    expect(orders).toEqual(upTo(orders.length));
  });
});

describe('The catalogue’s sources', () => {
  it('have unique ids, a known level and a secure address', () => {
    const levels = ['primary', 'regulator', 'company', 'institutional', 'media', 'derived', 'community'];
    expect(repeated(sources.map((item) => item.id))).toEqual([]);
    expect(sources.filter((item) => !levels.includes(item.level))).toEqual([]);
    expect(sources.filter((item) => !item.url.startsWith('https://'))).toEqual([]);
  });

  it('withhold the Bank for International Settlements and nothing else', () => {
    expect(sources.filter((item) => item.withheld).map((item) => item.id)).toEqual(['bis']);
  });
});

describe('The catalogue’s units', () => {
  it('contain the number exactly once in every language', () => {
    const misplaced = units.filter(({ display }) =>
      LOCALES.some((locale) => display[locale].split('{n}').length !== 2),
    );
    expect(misplaced.map((unit) => unit.code)).toEqual([]);
  });
});

describe('the pages of series at their publishers', () => {
  /** Hosts by provider, and a pattern if the URL contains the publisher’s code. */
  const HOSTS: Readonly<Record<string, readonly [host: string, code: RegExp | null]>> = {
    worldbank: ['data.worldbank.org', /^.*$/],
    bls: ['data.bls.gov', /^.*$/],
    bea: ['www.bea.gov', null],
    frb: ['fred.stlouisfed.org', /^.*$/],
    'frb-h15': ['fred.stlouisfed.org', null],
    estat: ['www.e-stat.go.jp', /^\d+/],
    ecb: ['data.ecb.europa.eu', /^.*$/],
    eia: ['www.eia.gov', /(?<=\.)\w+(?=\.)/],
    'us-treasury': ['home.treasury.gov', null],
  };

  it.each(Object.entries(HOSTS))('of %s stand at its own host and name its code', (provider, [host, code]) => {
    const entries = [...indicators, ...instruments].filter((entry) => entry.provider === provider);
    expect(entries).not.toEqual([]);
    for (const { providerCode, seriesUrl } of entries) {
      const { host: at, href } = new URL(seriesUrl ?? '');
      const named = code === null ? '' : (code.exec(providerCode)?.[0] ?? '-');
      expect({ providerCode, at, named: href.toLowerCase().includes(named.toLowerCase()) }).toEqual({
        providerCode,
        at: host,
        named: true,
      });
    }
  });

  it('are missing only where the publisher has one page for all that it prints', () => {
    const without = [...indicators, ...instruments].filter(({ seriesUrl }) => seriesUrl === null);
    expect(without.map(({ provider }) => provider)).toEqual(['worldbank-pinksheet']);
  });

  it('has every publisher and topic that search knows by a shorter name', () => {
    const known = new Set([...sources.map(({ publisher }) => publisher.en), ...topics.map(({ name }) => name.en)]);
    expect([...SHORT_NAMES.keys()].filter((name) => !known.has(name))).toEqual([]);
  });
});
