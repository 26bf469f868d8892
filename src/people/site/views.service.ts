import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { Eta } from 'eta';
import { HTTP_SETTINGS, type HttpSettings } from '../../serve/http/settings.js';
import type { Figure } from '../../domain/figures/figure.schema.js';
import { sideBySide } from '../../domain/figures/side-by-side.js';
import type { Age } from '../../domain/figures/timetable.js';
import { regionName } from '../../domain/catalogue/closed-sets.js';
import { formatCount, formatDay, formatPeriod } from '../../domain/locale/format.js';
import { ageText, cellText, columnDecimals, moveText, shownText, type MoveOf } from '../views/shown-figure.js';
import { VOICES } from '../../domain/locale/voice/voices.js';
import { utcMinute } from '../../domain/locale/utc-minute.js';
import { LANGUAGES } from '../../domain/locale/language-names.js';
import type { Locale } from '../../domain/locale/locale.js';
import type { TextArgs } from '../../domain/locale/templates.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { SiteFiles } from './site-files.js';

/** The values that the layout reads; a view's own model contains more. */
export interface PageModel {
  readonly title: string;
  /** The page's own path, without a query. */
  readonly path: string;
  /** One or two sentences, for search engines and previews. */
  readonly description?: string;
  /** Whether search engines may index it, in every language. */
  readonly listed?: boolean | undefined;
  /** Structured data in the vocabulary of schema.org. */
  readonly jsonLd?: object;
  /** What its data set is about, in the same vocabulary. */
  readonly about?: object;
  /** Whether it is a page of the documentation, which exists in English only. */
  readonly isDocument?: boolean;
  /** The day to which ages count. */
  readonly today?: string;
  readonly [more: string]: unknown;
}

/** What a template can call in addition to its model. */
interface TemplateTools {
  readonly locale: Locale;
  /** By BCP 47. */
  readonly tag: string;
  readonly languages: typeof LANGUAGES;
  /** A text of `site.json` or another message file. */
  readonly t: (key: string, args?: TextArgs) => string;
  /** A URL of this site in the page's language or in another. */
  readonly href: (path: string, locale?: Locale) => string;
  readonly absolute: (path: string) => string;
  readonly asset: (name: string) => string;
  readonly list: (items: readonly string[]) => string;
  readonly count: (count: number) => string;
  /** A time to the minute, in UTC. */
  readonly time: (at: Date | string) => string;
  readonly day: (day: string) => string;
  /** The day of a change, and what happened on it. */
  readonly dated: (change: { readonly occurredAt: string; readonly occurredBasis?: string }) => string;
  readonly period: (period: string | null) => string;
  readonly country: (code: string) => string;
  /** A figure as the API writes it, or the reason for its absence. */
  readonly figure: (figure: Figure) => string;
  /** A figure in a table whose header states the unit: with every printed digit, or rounded. */
  readonly cell: (figure: Figure, decimals?: number) => string;
  /** Figures of one unit that a reader compares down a column, with equal decimals. */
  readonly alike: (figures: readonly Figure[]) => readonly Figure[];
  readonly columnDecimals: (figures: readonly Figure[]) => number;
  /** The signed difference between two figures, and for prices its percentage. */
  readonly move: (previous: Figure, actual: Figure, of?: MoveOf) => string | null;
  readonly age: (period: string | null, age: Age) => string;
  /** In a table: the day by which the next figure was due. */
  readonly overdue: (age: Age) => string;
  /** JSON that is safe inside a script element. */
  readonly json: (value: object) => string;
}

/** Renders `templates/<view>.eta` in a locale. Escapes every value except included templates. */
@Injectable()
export class Views {
  private readonly eta = new Eta({ views: join(import.meta.dirname, 'templates'), cache: true });
  private readonly files: SiteFiles;
  private readonly texts: Texts;
  private readonly baseUrl: string;

  constructor(files: SiteFiles, texts: Texts, @Inject(HTTP_SETTINGS) { baseUrl }: HttpSettings) {
    this.files = files;
    this.texts = texts;
    this.baseUrl = baseUrl;
  }

  /** @throws Error if a template, a text or an argument is missing, which is a bug */
  render(view: string, model: PageModel, locale: Locale): string {
    const day = (text: string) => formatDay(locale, text.slice(0, 10));
    const tools: TemplateTools = {
      locale,
      tag: VOICES[locale].tag,
      languages: LANGUAGES,
      t: (key, args) => this.texts.say(locale, key, args),
      href: (path, other = locale) =>
        model.isDocument ? path : `${path}${path.includes('?') ? '&' : '?'}locale=${other}`,
      absolute: (path) => `${this.baseUrl}${path}`,
      asset: (name) => this.files.path(name),
      day,
      dated: ({ occurredAt, occurredBasis = 'observed' }) =>
        this.texts.say(locale, `site.dated.${occurredBasis}`, { day: day(occurredAt) }),
      period: (period) => (period === null ? '' : formatPeriod(locale, period)),
      country: (code) => regionName(locale, code),
      figure: (figure) => shownText(figure, locale, this.texts),
      cell: (figure, decimals) =>
        figure.value === null ? shownText(figure, locale, this.texts) : cellText(locale, figure, decimals),
      alike: (figures) => sideBySide(figures, null, locale, false),
      columnDecimals,
      move: (previous, actual, of) => moveText(previous, actual, locale, of),
      age: (period, age) => {
        const today = model.today ?? '';
        return ageText(period ?? today, age, { locale, today }, this.texts);
      },
      overdue: ({ expectedBy }) =>
        expectedBy === null ? '' : this.texts.say(locale, 'site.age.due', { day: day(expectedBy) }),
      list: (items) => VOICES[locale].list(items),
      count: (count) => formatCount(locale, count),
      time: (at) => utcMinute(new Date(at)),
      json: (value) => JSON.stringify(value).replaceAll('<', '\\u003c'),
    };
    return this.eta.render(view, { ...model, ...tools });
  }
}
