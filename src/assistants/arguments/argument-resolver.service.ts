import { Injectable } from '@nestjs/common';
import { invalidParameter } from '../../domain/errors/api-error.js';
import type { RequestContext } from '../../serve/responses/request-context.js';
import { resolveRegions } from '../../serve/resources/closed-sets.rows.js';
import { MOST_IN_LIST } from '../../serve/resources/parameters.schema.js';
import { MOST_SERIES } from '../../serve/resources/series/series.schema.js';
import { treasurySpread } from '../../domain/search/treasury-yield.js';
import { SearchService } from '../../serve/resources/search/search.service.js';
import { withoutAside } from '../../serve/resources/search/unheard-words.rule.js';
import { currencyPair } from '../../serve/resources/search/currency-pair.rule.js';
import {
  countryNamed,
  countryOfAlpha3,
  indexOfChange,
  isIndicator,
  isInstrument,
  membersOfGroup,
  slugNamed,
  slugsOfIndicators,
} from './known-names.js';
import { requireEconomies } from './same-measure.js';
import { SeriesNamer, type NamedSeries } from './series-namer.service.js';
import { unknown, type Hit, type SeriesType } from './unknown-name.js';

/** Scores from here on mean that a name of it is what was asked for, see docs/explanation/search.md. */
const NAMED_SO = 900;
const CANDIDATES = 5;
const SPREAD = /\b(?:spread|difference)$|[价利汇の]?差$|スプレッド$/iu;
/** Between the two of a spread. */
const LESS = /[-–—/]|\bminus\b|\band\b|[与和と]/iu;
const CODE = /^[A-Za-z0-9]{2,3}$/;

/**
 * Turns what a caller calls a thing, by any of its names, into the slug, key or code that the services take. What has no
 * such name joins the faults of the request, with the likeliest names, and gives undefined.
 */
@Injectable()
export class ArgumentResolver {
  constructor(
    private readonly search: SearchService,
    private readonly namer: SeriesNamer,
  ) {}

  /** Slug of an indicator, and the economies that its words name. */
  indicator(words: string, context: RequestContext): Promise<NamedSeries | undefined> {
    return context.faults.check(['indicator'], () => this.find('indicator', words, context));
  }

  /** Key of an instrument. */
  async instrument(words: string, context: RequestContext): Promise<string | undefined> {
    return (await context.faults.check(['instrument'], () => this.find('instrument', words, context)))?.key;
  }

  /**
   * References of series, as the service takes them: pairs of currencies, instruments, and indicators each in the economies
   * that its own words name, else in those of `country`, else in the only one that has it.
   * @param ofIndex whether an index is meant where one is stored: people call it and its yearly change alike
   */
  async series(
    text: string,
    country: string | undefined,
    ofIndex: boolean,
    context: RequestContext,
  ): Promise<readonly string[] | undefined> {
    const regions = await this.countries(country, context);
    return context.faults.check(['series'], async () => {
      const references: string[] = [];
      for (const { key, own } of await this.parts('series', text, context)) {
        if (isIndicator(key)) {
          const named = own.length > 0 ? own : (regions ?? []);
          const codes = named.length > 0 ? named : [await this.requiredEconomy(key, context)];
          const index = ofIndex && !text.toLowerCase().includes(key) ? indexOfChange(key) : undefined;
          const economy = index === undefined ? undefined : await this.onlyEconomy(index, context);
          references.push(...codes.map((code) => `${code === economy ? index : key}@${code}`));
        } else {
          requireEconomies(key, regions, context.locale);
          references.push(key);
        }
      }
      requireAtMost(MOST_IN_LIST, references, 'country');
      return references;
    });
  }

  /** The one economy that has an indicator; undefined if several have it, or none. */
  onlyEconomy(slug: string, { lookup }: RequestContext): Promise<string | undefined> {
    return this.search.onlyEconomy(slug, lookup);
  }

  /** @throws ApiError `invalid_parameter` if several economies have the indicator, or none */
  private async requiredEconomy(slug: string, context: RequestContext): Promise<string> {
    const code = await this.onlyEconomy(slug, context);
    if (code !== undefined) return code;
    throw invalidParameter({ parameter: 'series', reason: 'needs_country', args: { name: slug } });
  }

  /**
   * Reference of the second operand.
   * @param hasEconomy whether the service gives it the economy of what is combined with it, unless its words name one
   */
  async operand(
    parameter: 'minus' | 'per' | 'times',
    words: string | undefined,
    { country, hasEconomy }: { readonly country: string | undefined; readonly hasEconomy: boolean },
    context: RequestContext,
  ): Promise<string | undefined> {
    if (words === undefined) return undefined;
    const regions = await this.countries(country, context);
    return context.faults.check([parameter], async () => {
      const { key, own } = await this.part(parameter, words, context);
      if (!isIndicator(key)) {
        requireEconomies(key, regions, context.locale);
        return key;
      }
      const [named = hasEconomy ? undefined : regions?.[0]] = own;
      const region = named ?? (hasEconomy ? undefined : await this.onlyEconomy(key, context));
      return region === undefined ? key : `${key}@${region}`;
    });
  }

  /** A text that is no name as a whole is a list of names. */
  private async parts(parameter: string, text: string, context: RequestContext): Promise<NamedSeries[]> {
    const names = namesIn(text, /[;；、]|[,，](?!\s*\w+\s*[)）])/u);
    requireAtMost(MOST_SERIES, names, parameter);
    const whole = names.length > 1 && !/[;；、]/u.test(text) ? await this.namer.find(text, context) : undefined;
    if (whole !== undefined) return [whole];
    const found: NamedSeries[] = [];
    for (const name of names) found.push(await this.part(parameter, name, context));
    return found;
  }

  /** @throws ApiError `invalid_parameter` with the likeliest names */
  private async part(parameter: string, words: string, context: RequestContext): Promise<NamedSeries> {
    const [, key, code] = /^([\w-]+)@(\w{2,3})$/.exec(words) ?? [];
    if (key !== undefined && code !== undefined) return { key, own: [code.toUpperCase()] };
    const named = await this.namer.find(words, context);
    if (named !== undefined) return named;
    const [one, other] = parameter === 'series' ? await this.spread(words, context) : [];
    if (one !== undefined && other !== undefined)
      throw invalidParameter({ parameter, reason: 'is_difference', args: { name: words, one, other } });
    const { locale, lookup } = context;
    const hits = (await this.search.search({ locale, q: words, limit: CANDIDATES }, lookup)).data as Hit[];
    const series = hits.filter(({ type }) => type === 'indicator' || type === 'instrument');
    // For one word without a meaning, the service names the nearest spelling.
    if (series.length === 0 && /^[\w-]+$/.test(words)) return { key: words.toLowerCase(), own: [] };
    throw unknown(parameter, series, words);
  }

  /** The two series of which words name the difference: 2s10s, Brent-WTI spread. */
  private async spread(words: string, context: RequestContext): Promise<readonly (string | undefined)[]> {
    const yields = treasurySpread(words);
    if (yields !== undefined) return yields;
    const names = SPREAD.test(words) ? words.trim().replace(SPREAD, '').split(LESS) : [];
    if (names.length !== 2) return [];
    return Promise.all(names.map(async (name) => (await this.namer.find(name.trim(), context))?.key));
  }

  /**
   * Codes of countries or aggregates, from names or codes with commas between them.
   * @param isRanked whether a group stands for its members, also one with figures of its own
   */
  async countries(text: string | undefined, context: RequestContext, isRanked = false): Promise<string[] | undefined> {
    if (text === undefined) return undefined;
    return context.faults.check(['country'], () => this.codesOf(text, context, isRanked));
  }

  /** Slug of a domain or topic; the likeliest are those of the indicators that the words name. */
  async member(
    parameter: 'coverage' | 'topic',
    words: string | undefined,
    context: RequestContext,
  ): Promise<string | undefined> {
    if (words === undefined) return undefined;
    return context.faults.check([parameter], () => this.slugOf(parameter, words, context));
  }

  private async codesOf(text: string, context: RequestContext, isRanked: boolean): Promise<string[]> {
    const codes: string[] = [];
    for (const name of namesIn(text, /[,，、;]/)) {
      const country = countryOfAlpha3(name);
      const known = membersOfGroup(name, isRanked) ?? (country === undefined ? undefined : [country]);
      if (known !== undefined) {
        codes.push(...known);
        continue;
      }
      const hits = await this.hits('country', name, context);
      const best = hits.find(({ id }) => id === name.toUpperCase()) ?? hits[0];
      const code = best !== undefined && best.score >= NAMED_SO ? best.id : countryNamed(name);
      if (code === undefined && !CODE.test(name)) throw unknown('country', hits, name);
      codes.push(...(code === undefined ? resolveRegions('country', [name.toUpperCase()]) : [code]));
    }
    const each = [...new Set(codes)];
    requireAtMost(MOST_IN_LIST, each, 'country');
    return each;
  }

  private async slugOf(parameter: 'coverage' | 'topic', words: string, context: RequestContext): Promise<string> {
    const slug = slugNamed(parameter, words);
    if (slug !== undefined) return slug;
    const hits = await this.hits('indicator', words, context);
    const allowed = slugsOfIndicators(
      parameter,
      hits.map(({ id }) => id),
    );
    // Without a meaning, the services name the nearest spelling.
    if (allowed.length === 0) return words;
    throw invalidParameter({ parameter, reason: 'no_such_name', args: { name: words }, allowed });
  }

  /** By the rule of `series`. @throws ApiError `invalid_parameter` with the likeliest names */
  private async find(type: SeriesType, words: string, context: RequestContext): Promise<NamedSeries> {
    const meant = await this.namer.find(words, context, [type]);
    if (meant === undefined) throw await this.unnamed(type, words, context);
    const pair = type === 'instrument' && !isInstrument(meant.key) ? currencyPair(words) : null;
    if (pair === null) return meant;
    if (!pair.every((code) => code === 'EUR' || isInstrument(`eur${code.toLowerCase()}`)))
      throw unknown(type, [], words);
    throw invalidParameter({ parameter: type, reason: 'computed_pair', args: { name: pair.join('/') } });
  }

  /** The error for words that name nothing of a type: what has them for a name otherwise, else what is called alike. */
  private async unnamed(type: SeriesType, words: string, context: RequestContext) {
    const named = await this.namer.find(words, context, [type === 'instrument' ? 'indicator' : 'instrument']);
    if (named === undefined) return unknown(type, await this.hits(type, words, context), words);
    const { key } = named;
    const args = { name: words, key, tool: isIndicator(key) ? 'figures' : isInstrument(key) ? 'quotes' : 'series' };
    return invalidParameter({ parameter: type, reason: 'in_other_tool', args });
  }

  private async hits(type: Hit['type'], q: string, context: RequestContext): Promise<readonly Hit[]> {
    const { locale, lookup } = context;
    const meant = type === 'country' ? q : withoutAside(q);
    return (await this.search.search({ locale, q: meant, type, limit: CANDIDATES }, lookup)).data as Hit[];
  }
}

const namesIn = (text: string, between: RegExp): string[] =>
  text
    .split(between)
    .map((one) => one.trim())
    .filter((one) => one !== '');

function requireAtMost(limit: number, all: readonly string[], parameter: string): void {
  if (all.length > limit) throw invalidParameter({ parameter, reason: 'list_maximum', args: { limit } });
}
