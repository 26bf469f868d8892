// What the service has names for, in three languages: nothing else is imported.
import { z } from 'zod';
import {
  coverageEntry,
  indicatorEntry,
  regionEntry,
  sourceEntry,
  topicEntry,
  type CoverageEntry,
  type IndicatorEntry,
  type RegionEntry,
  type SourceEntry,
  type TopicEntry,
} from './catalogue.schema.js';
import coverageData from './coverage.json' with { type: 'json' };
import indicatorData from './indicators.json' with { type: 'json' };
import regionData from './regions.json' with { type: 'json' };
import sourceData from './sources.json' with { type: 'json' };
import topicData from './topics.json' with { type: 'json' };

export interface Catalogue {
  readonly sources: readonly SourceEntry[];
  readonly coverage: readonly CoverageEntry[];
  readonly topics: readonly TopicEntry[];
  readonly regions: readonly RegionEntry[];
  readonly indicators: readonly IndicatorEntry[];
}

/** The source that stands behind a provider's indicators. */
const PROVIDER_SOURCES: Readonly<Record<string, string>> = { worldbank: 'worldbank-wdi' };

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
  };
  return read;
}

export function sourceOf(indicator: IndicatorEntry): string {
  const source = PROVIDER_SOURCES[indicator.provider];
  if (source === undefined) throw new Error(`No source is named for the provider ${indicator.provider}`);
  return source;
}

/** A publisher's codes, each with what the catalogue calls it. */
export class CodeBook {
  private readonly indicators: ReadonlyMap<string, IndicatorEntry>;
  private readonly regions: ReadonlyMap<string, RegionEntry>;

  constructor(catalogue: Catalogue, publisher: string) {
    this.indicators = new Map(
      catalogue.indicators
        .filter(({ provider }) => publisher === OWN_CODES || provider === publisher)
        .map((entry) => [publisher === OWN_CODES ? entry.slug : entry.providerCode, entry]),
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

  region(code: string): RegionEntry | undefined {
    return this.regions.get(code);
  }
}
