import { Injectable } from '@nestjs/common';
import { Heartbeat } from '../../store/heartbeat.js';
import { invalidParameter } from '../../domain/errors/api-error.js';
import { formatCountry } from '../../domain/locale/format.js';
import { inAll, LOCALES, type Localized } from '../../domain/locale/locale.js';
import { SearchService } from '../../serve/resources/search/search.service.js';
import { TopicsService } from '../../serve/resources/topics/topics.service.js';
import type { RequestContext } from '../../serve/responses/request-context.js';
import { normalizeText } from '../../domain/search/normalize.js';
import { ArgumentResolver } from './argument-resolver.service.js';

/** A value of a parameter, with the names that people know it by. */
export interface NamedValue {
  /** Slug or code. */
  readonly value: string;
  readonly name: Localized;
  /** Normalised, in all languages. */
  readonly names: readonly string[];
}

export type NamedKind = 'topic' | 'country' | 'indicator';
type Lists = Readonly<Record<NamedKind, readonly NamedValue[]>>;

/** The topics, countries and indicators of the newest data version, in memory: completion asks for them at each key. */
@Injectable()
export class NamedValues {
  private held: { readonly dataVersion: number; readonly lists: Promise<Lists> } | undefined;

  constructor(
    private readonly search: SearchService,
    private readonly topics: TopicsService,
    private readonly resolver: ArgumentResolver,
    private readonly heartbeat: Heartbeat,
  ) {}

  /** What people watch first. */
  async list(kind: NamedKind, context: RequestContext): Promise<readonly NamedValue[]> {
    const { dataVersion } = this.heartbeat.latest;
    if (this.held?.dataVersion !== dataVersion) {
      const lists = this.read(context);
      this.held = { dataVersion, lists };
      // A failure is not cached.
      lists.catch(() => (this.held = undefined));
    }
    return (await this.held.lists)[kind];
  }

  /** Those that begin so, then those with a word that begins so, then those that contain it. */
  async matching(kind: NamedKind, text: string, context: RequestContext): Promise<readonly NamedValue[]> {
    const words = normalizeText(text);
    const tiers: NamedValue[][] = [[], [], []];
    for (const one of await this.list(kind, context)) {
      const tier = words === '' ? 0 : Math.min(...one.names.map((name) => tierOf(name, words)));
      tiers[tier]?.push(one);
    }
    return tiers.flat();
  }

  /** The one country or aggregate that the words name. @throws ApiError `invalid_parameter` with the nearest names */
  async country(words: string, context: RequestContext): Promise<NamedValue> {
    const [code = '', ...others] = (await this.resolver.countries(words, context)) ?? [];
    context.faults.refuse();
    const parameter = 'country';
    if (others.length > 0) throw invalidParameter({ parameter, reason: 'list_maximum', args: { limit: 1 } });
    const known = (await this.list('country', context)).find(({ value }) => value === code);
    if (known !== undefined) return known;
    if (!/^[A-Z]{2}$/.test(code) || formatCountry('en', code) === code)
      throw invalidParameter({ parameter, reason: 'no_such_name', args: { name: words } });
    return { value: code, name: inAll((locale) => formatCountry(locale, code)), names: [] };
  }

  private async read(context: RequestContext): Promise<Lists> {
    const [topics, countries, indicators] = await Promise.all([
      this.topics.names(context),
      this.search.names('country', context),
      this.search.names('indicator', context),
    ]);
    const found = ({ key, title, names }: (typeof countries.data)[number]) => named(key, title, names);
    return {
      topic: topics.data.map(({ slug, name }) => named(slug, name)),
      country: countries.data.map(found),
      indicator: indicators.data.map(found),
    };
  }
}

function named(value: string, name: Localized, names: readonly string[] = []): NamedValue {
  const own = [value, ...LOCALES.map((locale) => name[locale])].map(normalizeText);
  return { value, name, names: [...new Set([...own, ...names])] };
}

/** 0 to 2; 3 for a name that does not contain the words. */
function tierOf(name: string, words: string): number {
  if (name.startsWith(words)) return 0;
  if (name.includes(` ${words}`)) return 1;
  return name.includes(words) ? 2 : 3;
}
