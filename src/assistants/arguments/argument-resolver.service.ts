import { Injectable } from '@nestjs/common';
import { invalidParameter } from '../../domain/errors/api-error.js';
import type { RequestContext } from '../../serve/responses/request-context.js';
import { SearchService } from '../../serve/resources/search/search.service.js';
import { countryNamed, slugNamed, slugsOfIndicators } from './known-names.js';

/** Scores from here on mean that a name of it is what was asked for, see docs/explanation/search.md. */
const NAMED_SO = 900;
/** Scores from here on mean that one name contains what was asked for, word for word. */
const CONTAINED = 600;
/** Of two that contain it, the one that outranks the other so far is meant. */
const CLEARLY = 75;
const CANDIDATES = 5;
/** Below, a name shares only a usual word with what was asked for, such as “price”, and would mislead. */
const LIKELY = 240;
const CODE = /^[A-Za-z0-9]{2,3}$/;

/**
 * Turns what a caller calls a thing, by any of its names, into the slug, key or code that the services take. What has no
 * such name joins the faults of the request, with the likeliest names, and gives undefined.
 */
@Injectable()
export class ArgumentResolver {
  constructor(private readonly search: SearchService) {}

  /** Slug of an indicator. */
  indicator(words: string, context: RequestContext): Promise<string | undefined> {
    return context.faults.check(['indicator'], () => this.find('indicator', words, context));
  }

  /** Key of an instrument. */
  instrument(words: string, context: RequestContext): Promise<string | undefined> {
    return context.faults.check(['instrument'], () => this.find('instrument', words, context));
  }

  /** Codes of countries or aggregates, from names or codes with commas between them; a code is left to the services. */
  async countries(text: string | undefined, context: RequestContext): Promise<string[] | undefined> {
    if (text === undefined) return undefined;
    return context.faults.check(['country'], () => this.codesOf(text, context));
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

  private async codesOf(text: string, context: RequestContext): Promise<string[]> {
    const codes: string[] = [];
    for (const name of text.split(/[,，、;]/).map((one) => one.trim())) {
      if (name === '') continue;
      const [best, ...others] = await this.hits('country', name, context);
      const exact = [best, ...others].find((hit) => hit?.id === name.toUpperCase()) ?? best;
      if (exact !== undefined && exact.score >= NAMED_SO) codes.push(exact.id);
      else {
        const code = countryNamed(name) ?? (CODE.test(name) ? name.toUpperCase() : undefined);
        if (code === undefined) throw unknown('country', [best, ...others]);
        codes.push(code);
      }
    }
    return [...new Set(codes)].sort();
  }

  private async slugOf(
    parameter: 'coverage' | 'topic',
    words: string,
    context: RequestContext,
  ): Promise<string> {
    const slug = slugNamed(parameter, words);
    if (slug !== undefined) return slug;
    const hits = await this.hits('indicator', words, context);
    const allowed = slugsOfIndicators(
      parameter,
      hits.map(({ id }) => id),
    );
    // Without a meaning, the services name the nearest spelling.
    if (allowed.length === 0) return words;
    throw invalidParameter({ parameter, reason: 'no_such_name', allowed });
  }

  private async find(
    type: 'indicator' | 'instrument',
    words: string,
    context: RequestContext,
  ): Promise<string> {
    const hits = await this.hits(type, words, context);
    // A slug is words with hyphens, so the search finds it too.
    const slug = words.trim().toLowerCase().replace(/\s+/g, '-');
    const meant = hits.find(({ id }) => id === slug) ?? (isClear(hits) ? hits[0] : undefined);
    if (meant === undefined) throw unknown(type, hits);
    return meant.id;
  }

  private async hits(type: Hit['type'], q: string, context: RequestContext): Promise<readonly Hit[]> {
    const { locale, lookup } = context;
    return (await this.search.search({ locale, q, type, limit: CANDIDATES }, lookup)).data as Hit[];
  }
}

interface Hit {
  readonly type: 'indicator' | 'instrument' | 'country';
  readonly id: string;
  readonly title: string;
  readonly score: number;
}

/** Whether the best hit is named so, or alone contains all that was asked for. */
function isClear([best, other]: readonly Hit[]): boolean {
  if (best === undefined) return false;
  return best.score >= NAMED_SO || (best.score >= CONTAINED && best.score - (other?.score ?? 0) >= CLEARLY);
}

function unknown(parameter: Hit['type'], hits: readonly (Hit | undefined)[]) {
  const allowed = hits.flatMap((hit) =>
    hit === undefined || hit.score < LIKELY ? [] : [`${hit.id} (${hit.title})`],
  );
  return invalidParameter({ parameter, reason: 'no_such_name', allowed });
}
