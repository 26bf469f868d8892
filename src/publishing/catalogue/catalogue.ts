// What the service has names for, in three languages: nothing else is imported.
import { z } from 'zod';
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
import coverageData from './coverage.json' with { type: 'json' };
import indicatorData from './indicators.json' with { type: 'json' };
import instrumentData from './instruments.json' with { type: 'json' };
import regionData from './regions.json' with { type: 'json' };
import sourceData from './sources.json' with { type: 'json' };
import topicData from './topics.json' with { type: 'json' };

export interface Catalogue {
  readonly sources: readonly SourceEntry[];
  readonly coverage: readonly CoverageEntry[];
  readonly topics: readonly TopicEntry[];
  readonly regions: readonly RegionEntry[];
  readonly indicators: readonly IndicatorEntry[];
  readonly instruments: readonly InstrumentEntry[];
}

/** The source that stands behind a provider's indicators. */
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

/** The files as checked objects; read once. */
export function readCatalogue(): Catalogue {
  read ??= {
    sources: z.array(sourceEntry).parse(sourceData),
    coverage: z.array(coverageEntry).parse(coverageData),
    topics: z.array(topicEntry).parse(topicData),
    regions: z.array(regionEntry).parse(regionData),
    indicators: z.array(indicatorEntry).parse(indicatorData),
    instruments: z.array(instrumentEntry).parse(instrumentData),
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

/** What a series is of. */
export type SeriesSubject =
  | { readonly indicator: IndicatorEntry; readonly region: RegionEntry }
  | { readonly instrument: InstrumentEntry };

export type UnnamedKind = 'indicator' | 'instrument' | 'region';

/** A publisher's codes, each with what the catalogue calls it. */
export class CodeBook {
  private readonly indicators: ReadonlyMap<string, IndicatorEntry>;
  private readonly instruments: ReadonlyMap<string, InstrumentEntry>;
  private readonly regions: ReadonlyMap<string, RegionEntry>;

  /** @param providers whose codes the files use: those of the publisher, or of all that a collection gathers. */
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
   * What a figure's codes stand for, or which of them the catalogue does not name. A figure without a region is
   * an instrument's.
   */
  subject({ indicator: code, region: regionCode }: SubjectCodes): SeriesSubject | UnnamedKind {
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
