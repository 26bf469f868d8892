import { Injectable } from '@nestjs/common';
import type { Result } from '../../serve/responses/result.js';
import type { ApiError } from '../../domain/errors/api-error.js';
import type { ComputedMissing } from '../../domain/calculation/sequence.js';
import { parseDecimal, unsigned } from '../../domain/figures/decimal.js';
import { percentText } from '../../domain/figures/written-number.js';
import type { ProblemEnvelope } from '../../serve/http/response/problem.schema.js';
import { ErrorResponses } from '../../serve/http/response/error-responses.service.js';
import { unitNamed, type UnitCode } from '../../domain/figures/units.js';
import { daysSince, lastDayOf } from '../../domain/figures/periods.js';
import { formatDay, formatPeriod } from '../../domain/locale/format.js';
import type { Locale } from '../../domain/locale/locale.js';
import { pluralForm, type TextArgs } from '../../domain/locale/templates.js';
import { Texts } from '../../domain/locale/texts.service.js';
import type { SourceAttribution } from '../../domain/sources/source.schema.js';
import { projectedSource } from '../projections/source-projection.js';
import { withQuotedEchoes } from '../protocol/quoted-text.js';

type Problem = ProblemEnvelope['error'];

/** The parts of a figure that a sentence uses. */
interface Printed {
  readonly text: string | null;
  readonly period: string | null;
  readonly missing: ComputedMissing | null;
  readonly value?: number | null;
  readonly unit?: UnitCode;
  /** Of a figure whose unit has no code. */
  readonly scale?: number;
}

/** Renders the parts that the texts of all tools share. */
@Injectable()
export class TextRenderer {
  constructor(
    private readonly texts: Texts,
    private readonly errorResponses: ErrorResponses,
  ) {}

  say(locale: Locale, key: string, args?: TextArgs): string {
    return this.texts.say(locale, `mcp.${key}`, args);
  }

  /** A figure with unit and period; a missing one by its reason. */
  figure({ text, period, missing, value, unit, scale }: Printed, locale: Locale): string {
    const when = period === null ? '' : formatPeriod(locale, period);
    if (text === null) {
      const reason = this.say(locale, `missing.${missing ?? 'not_published'}`);
      // What we lack is no statement about a period, least of all about a coming day.
      return when === '' || missing === 'not_held' ? reason : this.say(locale, 'figure.missing', { reason, when });
    }
    const factor = scale ?? (unit === undefined ? 0 : unitNamed(unit).scale);
    const amount = value == null ? text : this.exactly(text, value, factor);
    return when === '' ? amount : this.say(locale, 'figure.of', { amount, when });
  }

  /** A text, with the exact value behind it where the text is rounded: that of the structure, in the unit of its source. */
  exactly(text: string, value: number, scale = 0): string {
    const exact = parseDecimal(String(value)) ?? String(value);
    const power = scale === 0 ? '' : ` × 10^${scale}`;
    return isExact(text, unsigned(exact)) ? text : `${text} [${exact}${power}]`;
  }

  /** Figures, or sentences about them, in one line. */
  joined([first = '', ...others]: readonly string[], locale: Locale): string {
    return others.reduce((before, after) => this.say(locale, 'figures.joined', { before, after }), first);
  }

  /**
   * A figure and its previous value, and by how many percent they differ, if that is known.
   * @param aside of the figure
   */
  compared(actual: Printed, previous: Printed, locale: Locale, percent: number | null = null, aside = ''): string {
    const by = (percent !== null && percent > 0 ? '+' : '') + percentText(locale, String(percent ?? 0));
    const changed = percent === null ? '' : this.say(locale, 'change.by', { by });
    const now = this.figure(actual, locale) + aside + changed;
    return this.say(locale, 'figure.compared', { now, before: this.figure({ ...actual, ...previous }, locale) });
  }

  /** A day, or an instant with its time in UTC. */
  moment(text: string, locale: Locale): string {
    const day = formatDay(locale, text.slice(0, 10));
    return text.length === 10 ? day : `${day} ${text.slice(11, 16)} UTC`;
  }

  /** The days of a window. */
  span({ from, to }: NonNullable<Result<unknown>['window']>, locale: Locale): { from: string; to: string } {
    return { from: formatDay(locale, from), to: formatDay(locale, to) };
  }

  /** The first lines of a text: what its content is not, or stands in for. */
  warnings({ notices, sources }: Result<unknown>, locale: Locale): string[] {
    const own = notices.filter((notice) => !sources.some((source) => source.notice === notice));
    return own.map((notice) => this.say(locale, 'notice', { notice }));
  }

  /** The last lines of every text: sources with licences and the sentences that they demand, the next page; without a day no age. */
  footer(result: Result<unknown>, locale: Locale, today: string | null, more = 'next'): string[] {
    const { sources, page, nearest, newestPeriod, dataVersion, publishedAt } = result;
    const lines = sources.map((source) => this.source(source, locale));
    if (lines.length > 0) lines.unshift('', this.say(locale, 'sources'));
    for (const notice of new Set(sources.flatMap((source) => source.notice ?? [])))
      lines.push(this.say(locale, 'notice', { notice }));
    // Without any figures, days are not what is missing.
    if (nearest && (nearest.before !== null || nearest.after !== null)) {
      const day = (text: string | null) => (text === null ? this.say(locale, 'none') : formatDay(locale, text));
      lines.push(this.say(locale, 'nearest', { before: day(nearest.before), after: day(nearest.after) }));
    }
    if (page?.nextCursor != null) {
      lines.push(this.say(locale, more, more === 'next' ? { cursor: page.nextCursor } : {}));
    }
    if (newestPeriod !== undefined && today !== null) lines.push(this.ageLine(newestPeriod, today, locale));
    if (publishedAt !== null) {
      lines.push(this.say(locale, 'as_of', { dataVersion }));
    }
    return lines;
  }

  /** The newest period of the figures, and how many days ago it ended. */
  private ageLine(period: string, today: string, locale: Locale): string {
    const days = daysSince(lastDayOf(period), today);
    const form = days <= 0 ? 'running' : pluralForm(locale, days);
    return this.say(locale, `age.${form}`, { period: formatPeriod(locale, period), days });
  }

  /** An error: its code first, for programs, then the cause and what to try. */
  error(error: ApiError, locale: Locale, requestId: string): string {
    const { error: problem } = this.errorResponses.create(withQuotedEchoes(error), locale, requestId).envelope;
    const { code, title, detail } = problem;
    const faults = this.faults(problem);
    // The faults of the arguments are more specific than the error's own text.
    const lines = [`${code}: ${faults.length > 0 ? title : detail}`, ...faults.map((fault) => `- ${fault}`)];
    const more = this.errorResponses.more(error.details.faults ?? [], locale);
    if (more !== null) lines.push(more);
    if (error.status >= 500) lines.push(this.say(locale, 'request', { requestId }));
    return lines.join('\n');
  }

  /** Each fault; its message names the values that the caller may have meant. */
  faults({ errors = [] }: Problem): string[] {
    return errors.map(({ message }) => message);
  }

  /** The page of an item, in its line, links the pages of its sources and licences. */
  private source(attributed: SourceAttribution, locale: Locale): string {
    const { id, attribution, licence } = projectedSource(attributed);
    return this.say(locale, 'source', { id, attribution, licence: licence === undefined ? '' : ` · ${licence.name}` });
  }
}

const digitsOf = (text: string): string => text.replace(/\D/g, '').replace(/^0+|0+$/g, '');

/** Whether one of the numbers in a text, or all its digits, are those of the value. */
function isExact(text: string, value: string): boolean {
  const numbers = [...(text.replaceAll(',', '').match(/\d+(?:\.\d+)?/g) ?? []), text];
  return numbers.some((one) => digitsOf(one) === digitsOf(value));
}
