import type { IndicatorEntry, InstrumentEntry, RegionEntry } from './catalogue.schema.js';
import { inAll } from '../../domain/locale/locale.js';
import type { UnmappedKind } from './code-book.js';

/** What the operator has to decide: no unit, name or topic may be guessed, and the catalogue refuses it as it is. */
const FILL_IN = 'FILL IN';
const NAMES = inAll(() => FILL_IN);

type Template<Entry> = {
  readonly [Member in keyof Entry]: Readonly<Entry[Member]> | readonly (typeof FILL_IN)[] | typeof FILL_IN;
};

/** The entry that the catalogue lacks for a publisher's code, with every required member. */
export function entryTemplate(
  kind: UnmappedKind,
  code: string,
  provider: string,
): Template<IndicatorEntry> | Template<InstrumentEntry> | Template<RegionEntry> {
  if (kind === 'region') return regionTemplate(code);
  const both = {
    provider,
    providerCode: code,
    seriesUrl: null,
    timetable: FILL_IN,
    source: FILL_IN,
    unit: FILL_IN,
    name: NAMES,
    description: NAMES,
    attention: 50,
    topics: [FILL_IN] as string[],
    coverage: [FILL_IN] as string[],
    order: FILL_IN,
  } as const;
  const name = slugOf(code);
  return kind === 'indicator'
    ? {
        slug: name,
        ...both,
        frequency: FILL_IN,
        seasonalAdjustment: null,
        priceBasis: null,
        baseYear: null,
        shortName: NAMES,
        wording: { verb: 'rise', sides: null },
        origins: [],
        board: false,
        decision: false,
      }
    : {
        key: name,
        ...both,
        kind: FILL_IN,
        currency: null,
        nativeTimeframe: 'D1',
        average: false,
        discontinued: false,
        curve: null,
        regions: [],
      };
}

/** Files state codes of two and of three letters. */
function regionTemplate(code: string): Template<RegionEntry> {
  const short = /^[A-Z]{2}$/.test(code);
  return {
    code: short ? code : FILL_IN,
    alpha3: short ? FILL_IN : code,
    aliases: [],
    kind: FILL_IN,
    name: NAMES,
    currency: null,
    weight: 0,
    board: false,
    order: null,
  };
}

const slugOf = (code: string): string =>
  code
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 64);
