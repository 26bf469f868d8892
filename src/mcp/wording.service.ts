import { Injectable } from '@nestjs/common';
import type { Result } from '../answers/result.js';
import type { ApiError } from '../errors/api-error.js';
import type { MissingReason } from '../figures/figure.schema.js';
import { UNITS, type UnitCode, type UnitDefinition } from '../figures/units.js';
import { Problems } from '../http/problem.service.js';
import { formatDay, formatPeriod, lowered } from '../locale/format.js';
import type { Locale } from '../locale/locale.js';
import { Texts, type TextArgs } from '../locale/texts.service.js';
import type { SourceAttribution } from '../sources/source.schema.js';

/** As much of a figure as a sentence needs. */
interface Printed {
  readonly value: number | null;
  readonly period: string | null;
  readonly missing: MissingReason | null;
}

/** What the text of every tool's answer is put together from. */
@Injectable()
export class Wording {
  constructor(
    private readonly texts: Texts,
    private readonly problems: Problems,
  ) {}

  say(locale: Locale, key: string, args?: TextArgs): string {
    return this.texts.say(locale, `mcp.${key}`, args);
  }

  /** A figure as it stands in the data, with unit and period; what is missing by its reason. */
  figure(figure: Printed, unit: UnitCode, locale: Locale): string {
    const { value, period, missing } = figure;
    const when = period === null ? '' : formatPeriod(locale, period);
    if (value === null) {
      const reason = this.say(locale, `missing.${missing ?? 'not_published'}`);
      return when === '' ? reason : this.say(locale, 'figure.missing', { reason, when });
    }
    const amount = this.amount(value, unit, locale);
    return when === '' ? amount : this.say(locale, 'figure.of', { amount, when });
  }

  /** A figure and what it was before. */
  compared(actual: Printed, previous: Printed, unit: UnitCode, locale: Locale): string {
    const now = this.figure(actual, unit, locale);
    return this.say(locale, 'figure.compared', { now, before: this.figure(previous, unit, locale) });
  }

  /** The number itself, not rounded, so that it is the one of the data: in billions where that is in billions. */
  amount(value: number, unit: UnitCode, locale: Locale): string {
    const { scale, label, display }: UnitDefinition = UNITS[unit];
    if (scale > 0) return this.say(locale, 'figure.scaled', { value, unit: lowered(locale, label[locale]) });
    return display[locale].replace('{n}', String(value));
  }

  /** A day or an instant in words; an instant keeps its time, in UTC. */
  moment(text: string, locale: Locale): string {
    const day = formatDay(locale, text.slice(0, 10));
    return text.length === 10 ? day : `${day} ${text.slice(11, 16)} UTC`;
  }

  /** The days of a window in words. */
  span({ from, to }: NonNullable<Result<unknown>['window']>, locale: Locale): { from: string; to: string } {
    return { from: formatDay(locale, from), to: formatDay(locale, to) };
  }

  /** What must stand under every answer: sources with licences and links, notices, where the list goes on. */
  footer(result: Result<unknown>, locale: Locale, turnsPages: boolean): string[] {
    const { sources, notices, page, nearest, revision, publishedAt } = result;
    const lines = sources.map((source) => this.source(source, locale));
    if (lines.length > 0) lines.unshift('', this.say(locale, 'sources'));
    for (const notice of notices) lines.push(this.say(locale, 'notice', { notice }));
    if (nearest) {
      const none = this.say(locale, 'none');
      lines.push(
        this.say(locale, 'nearest', { before: nearest.before ?? none, after: nearest.after ?? none }),
      );
    }
    if (page?.nextCursor != null) {
      lines.push(this.say(locale, turnsPages ? 'next' : 'narrow', { cursor: page.nextCursor }));
    }
    if (publishedAt !== null) {
      lines.push(this.say(locale, 'as_of', { revision, at: this.moment(publishedAt, locale) }));
    }
    return lines;
  }

  /** What went wrong, where, and what to try: the code first, for programs. */
  error(error: ApiError, locale: Locale, requestId: string): string {
    const { error: problem } = this.problems.envelope(error, locale, requestId);
    const { code, title, detail, errors = [] } = problem;
    // What is wrong with the arguments says more than that something is.
    const lines = [`${code}: ${errors.length > 0 ? title : detail}`];
    for (const { message, allowed = [] } of errors) {
      const hint = allowed.length === 0 ? '' : this.say(locale, 'try', { values: allowed.join(', ') });
      lines.push(`- ${message}${hint}`);
    }
    if (error.status >= 500) lines.push(this.say(locale, 'request', { requestId }));
    return lines.join('\n');
  }

  private source(
    { id, name, publisher, url, licence, attribution }: SourceAttribution,
    locale: Locale,
  ): string {
    return this.say(locale, 'source', {
      ...{ id, name, publisher, url, attribution },
      licence: licence.name,
      licenceUrl: licence.url,
    });
  }
}
