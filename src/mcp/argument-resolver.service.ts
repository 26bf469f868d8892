import { Injectable } from '@nestjs/common';
import { invalidParameter } from '../errors/api-error.js';
import type { RequestContext } from '../responses/request-context.js';
import { SearchService } from '../resources/search/search.service.js';

/** Scores from here on mean that a name of it is what was asked for, see docs/explanation/search.md. */
const NAMED_SO = 900;
const CANDIDATES = 5;
const CODE = /^[A-Za-z0-9]{2,3}$/;

/** Turns what a caller calls a thing, by any of its names, into the slug, key or code that the services take. */
@Injectable()
export class ArgumentResolver {
  constructor(private readonly search: SearchService) {}

  /** Slug of an indicator. @throws ApiError `invalid_parameter` with the likeliest where none is named so */
  indicator(words: string, context: RequestContext): Promise<string> {
    return this.find('indicator', words, context);
  }

  /** Key of an instrument. @throws ApiError `invalid_parameter` with the likeliest where none is named so */
  instrument(words: string, context: RequestContext): Promise<string> {
    return this.find('instrument', words, context);
  }

  /** Codes of countries or aggregates, from names or codes with commas between them; a code is left to the services. */
  async countries(text: string | undefined, context: RequestContext): Promise<string[] | undefined> {
    if (text === undefined) return undefined;
    const codes: string[] = [];
    for (const name of text.split(/[,，、;]/).map((one) => one.trim())) {
      if (name === '') continue;
      const [best, ...others] = await this.hits('country', name, context);
      const exact = [best, ...others].find((hit) => hit?.id === name.toUpperCase()) ?? best;
      if (exact !== undefined && exact.score >= NAMED_SO) codes.push(exact.id);
      else if (CODE.test(name)) codes.push(name.toUpperCase());
      else throw unknown('country', [best, ...others]);
    }
    return [...new Set(codes)].sort();
  }

  private async find(
    type: 'indicator' | 'instrument',
    words: string,
    context: RequestContext,
  ): Promise<string> {
    const hits = await this.hits(type, words, context);
    // A slug is words with hyphens, so the search finds it too; but only the slug itself is meant by it.
    const exact = hits.find(({ id }) => id === words.toLowerCase()) ?? hits[0];
    if (exact !== undefined && (exact.score >= NAMED_SO || exact.id === words.toLowerCase())) return exact.id;
    throw unknown(type, hits);
  }

  private async hits(type: Hit['type'], q: string, context: RequestContext): Promise<readonly Hit[]> {
    const { locale } = context;
    return (await this.search.search({ locale, q, type, limit: CANDIDATES }, context)).data as Hit[];
  }
}

interface Hit {
  readonly type: 'indicator' | 'instrument' | 'country';
  readonly id: string;
  readonly title: string;
  readonly score: number;
}

function unknown(parameter: Hit['type'], hits: readonly (Hit | undefined)[]) {
  const allowed = hits.flatMap((hit) => (hit === undefined ? [] : [`${hit.id} (${hit.title})`]));
  return invalidParameter({ parameter, reason: 'no_such_name', allowed });
}
