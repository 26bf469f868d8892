// The catalogue names sources, regions, indicators and instruments in three languages. Nothing else is imported.
import { z } from 'zod';
import { readDataFile } from './data-file.js';
import {
  coverageEntry,
  indicatorEntry,
  instrumentEntry,
  regionEntry,
  sourceEntry,
  topicEntry,
  type CoverageEntry,
  type IndicatorEntry,
  type InstrumentEntry,
  type RegionEntry,
  type SourceEntry,
  type TopicEntry,
} from './catalogue.schema.js';

export interface Catalogue {
  readonly sources: readonly SourceEntry[];
  readonly coverage: readonly CoverageEntry[];
  readonly topics: readonly TopicEntry[];
  readonly regions: readonly RegionEntry[];
  readonly indicators: readonly IndicatorEntry[];
  readonly instruments: readonly InstrumentEntry[];
}

/** The source of each provider's indicators. */
const PROVIDER_SOURCES: Readonly<Record<string, string>> = {
  worldbank: 'worldbank-wdi',
  bls: 'bls',
  bea: 'bea',
  frb: 'frb',
  estat: 'estat',
};

/** Tidemark's own interchange format, whose codes are the catalogue's. */
export const OWN_CODES = 'starter';

let read: Catalogue | undefined;

/** Reads and checks the files of data/catalogue, once. */
export function readCatalogue(): Catalogue {
  read ??= {
    sources: z.array(sourceEntry).parse(readDataFile('sources')),
    coverage: z.array(coverageEntry).parse(readDataFile('coverage')),
    topics: z.array(topicEntry).parse(readDataFile('topics')),
    regions: z.array(regionEntry).parse(readDataFile('regions')),
    indicators: z.array(indicatorEntry).parse(readDataFile('indicators')),
    instruments: z.array(instrumentEntry).parse(readDataFile('instruments')),
  };
  return read;
}

export function sourceOf(indicator: IndicatorEntry): string {
  const source = PROVIDER_SOURCES[indicator.provider];
  if (source === undefined) throw new Error(`No source is named for the provider ${indicator.provider}`);
  return source;
}

export interface SubjectCodes {
  readonly indicator: string;
  readonly region: string | null;
}

/** The subject of a series. */
export type SeriesSubject =
  | { readonly indicator: IndicatorEntry; readonly region: RegionEntry }
  | { readonly instrument: InstrumentEntry };

export type UnmappedKind = 'indicator' | 'instrument' | 'region';

/** Maps a publisher's codes to entries of the catalogue. */
export class CodeBook {
  private readonly indicators: ReadonlyMap<string, IndicatorEntry>;
  private readonly instruments: ReadonlyMap<string, InstrumentEntry>;
  private readonly regions: ReadonlyMap<string, RegionEntry>;

  /** @param providers whose codes the files use */
  constructor(catalogue: Catalogue, providers: readonly string[]) {
    const own = providers.includes(OWN_CODES);
    const known = ({ provider }: { readonly provider: string }): boolean =>
      own || providers.includes(provider);
    this.indicators = new Map(
      catalogue.indicators.filter(known).map((entry) => [own ? entry.slug : entry.providerCode, entry]),
    );
    this.instruments = new Map(
      catalogue.instruments.filter(known).map((entry) => [own ? entry.key : entry.providerCode, entry]),
    );
    this.regions = new Map(
      catalogue.regions.flatMap((entry) =>
        [entry.code, entry.alpha3, ...entry.aliases].flatMap((code) =>
          code === null ? [] : [[code, entry] as const],
        ),
      ),
    );
  }

  indicator(code: string): IndicatorEntry | undefined {
    return this.indicators.get(code);
  }

  instrument(code: string): InstrumentEntry | undefined {
    return this.instruments.get(code);
  }

  /**
   * The subject of a figure's codes, or the kind of code that the catalogue does not name. A figure without a
   * region belongs to an instrument.
   */
  subject({ indicator: code, region: regionCode }: SubjectCodes): SeriesSubject | UnmappedKind {
    if (regionCode === null) {
      const instrument = this.instruments.get(code);
      return instrument === undefined ? 'instrument' : { instrument };
    }
    const indicator = this.indicators.get(code);
    if (indicator === undefined) return 'indicator';
    const region = this.regions.get(regionCode);
    return region === undefined ? 'region' : { indicator, region };
  }

  region(code: string): RegionEntry | undefined {
    return this.regions.get(code);
  }
}
