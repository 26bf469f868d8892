import type { Catalogue } from './catalogue.js';
import type { IndicatorEntry, InstrumentEntry, RegionEntry } from './catalogue.schema.js';

/** Tidemark's own interchange format, whose codes are the catalogue's. */
export const OWN_CODES = 'starter';

export interface SubjectCodes {
  readonly indicator: string;
  readonly region: string | null;
}

/** The subject of a series. */
export type SeriesSubject =
  { readonly indicator: IndicatorEntry; readonly region: RegionEntry } | { readonly instrument: InstrumentEntry };

export type UnmappedKind = 'indicator' | 'instrument' | 'region';

/** Maps a publisher's codes to entries of the catalogue. */
export class CodeBook {
  private readonly indicators: ReadonlyMap<string, IndicatorEntry>;
  private readonly instruments: ReadonlyMap<string, InstrumentEntry>;
  private readonly regions: ReadonlyMap<string, RegionEntry>;

  /** @param providers whose codes the files use */
  constructor(catalogue: Catalogue, providers: readonly string[]) {
    const own = providers.includes(OWN_CODES);
    const known = ({ provider }: { readonly provider: string }): boolean => own || providers.includes(provider);
    this.indicators = new Map(
      catalogue.indicators.filter(known).map((entry) => [own ? entry.slug : entry.providerCode, entry]),
    );
    this.instruments = new Map(
      catalogue.instruments.filter(known).map((entry) => [own ? entry.key : entry.providerCode, entry]),
    );
    this.regions = new Map(
      catalogue.regions.flatMap((entry) =>
        [entry.code, entry.alpha3, ...entry.aliases].flatMap((code) => (code === null ? [] : [[code, entry] as const])),
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
