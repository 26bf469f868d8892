import type { Meta, Source } from './routes.js';

/** What names its sources: a figure by `source` and `origins`, a change or a signal by `sources`. */
export interface Sourced {
  readonly source?: string;
  readonly origins?: readonly string[];
  readonly sources?: readonly string[];
}

export interface Citation {
  /** The attributions and the notices of all sources, to show with the figure. */
  readonly text: string;
  /** The publisher first, then those that it names as its own sources. */
  readonly sources: readonly Source[];
}

/** The sources of all answers so far. */
export class Citations {
  private readonly known = new Map<string, Source>();

  add({ sources }: Meta): void {
    for (const source of sources) {
      const series = [...(this.known.get(source.id)?.series ?? []), ...source.series];
      const pages = new Map(series.map((one) => [one.key, one]));
      this.known.set(source.id, { ...source, series: [...pages.values()] });
    }
  }

  /** By id. */
  used(): Source[] {
    return [...this.known.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** @throws Error for a source that no answer of this client has named */
  cite({ source, origins = [], sources = [] }: Sourced): Citation {
    const ids = [...new Set([...(source === undefined ? [] : [source]), ...sources, ...origins])];
    const cited = ids.map((id) => {
      const found = this.known.get(id);
      if (found === undefined) throw new Error(`No answer of this client has the source ${id}`);
      return found;
    });
    const texts = cited.flatMap(({ attribution, notice }) => [attribution, ...(notice === null ? [] : [notice])]);
    return { text: [...new Set(texts)].join(' '), sources: cited };
  }
}
