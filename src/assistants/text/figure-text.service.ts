import { Injectable } from '@nestjs/common';
import { combinedMeasure, measureOf, measureText } from '../../domain/calculation/measures.js';
import type { FigureUnit } from '../../domain/figures/figure-text.js';
import type { SeriesFigure } from '../../domain/figures/figure.schema.js';
import { percentText } from '../../domain/figures/written-number.js';
import { daysSince } from '../../domain/figures/periods.js';
import { sideBySide } from '../../domain/figures/side-by-side.js';
import type { Age } from '../../domain/figures/timetable.js';
import { unitNamed } from '../../domain/figures/units.js';
import type { Locale } from '../../domain/locale/locale.js';
import { formatDay, formatPeriod } from '../../domain/locale/format.js';
import type { TextArgs } from '../../domain/locale/templates.js';
import type { MacroSeries } from '../../serve/resources/macro/macro.schema.js';
import type { Instrument, InstrumentBars, InstrumentDetail } from '../../serve/resources/markets/market.schema.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import { knownSinceOf, restatementOf } from '../projections/series-projection.js';
import { rangeOf } from '../projections/quote-projection.js';
import { TextRenderer } from './text-renderer.service.js';

interface QuoteOptions {
  readonly today: string;
  readonly locale: Locale;
  readonly gap?: 'none' | 'frame';
  /** Whether the result has no other instrument. */
  readonly alone: boolean;
}

interface NewestMonth {
  readonly slug: string;
  readonly region: string;
  readonly percent: string;
  readonly period: string;
}

/** Series and quotes as lines of text: newest first, each figure with its period, each quote with its age. */
@Injectable()
export class FigureText {
  constructor(private readonly renderer: TextRenderer) {}

  /** The lines of a ranking have numbers. */
  series({ indicator, ranking, series }: MacroSeries, locale: Locale): string[] {
    const head = [indicator.name, ...(ranking === null ? [] : [this.ranking(ranking, series, locale)])];
    const lines = series.map((one, position) => {
      const { region, observations, currency, source } = one;
      const figures = this.newestFirst(sideBySide(observations, currency, locale), locale);
      const mark = ranking === null ? '-' : `${position + 1}.`;
      const line = `${mark} ${this.renderer.say(locale, 'figures.of', { ...region, figures, source })} · ${linkOf(one)}`;
      // Of a withdrawn figure each value says how long it was known.
      const since = observations.at(-1)?.knownUntil == null ? knownSinceOf(observations) : null;
      const known =
        since === null ? [] : [this.renderer.say(locale, 'figures.known', { day: formatDay(locale, since) })];
      const restated = restatementOf(observations);
      const size = restated === null ? [] : [this.restated(restated, { unit: indicator.unit.code, currency }, locale)];
      return [
        line,
        ...known,
        ...size,
        ...(series.length === 1 || observations.every(({ value }) => value === null) ? [] : this.overdue(one, locale)),
      ].join(' · ');
    });
    return lines.length === 0 ? [...head, this.renderer.say(locale, 'empty')] : [...head, ...lines];
  }

  /** By how much the last value of a period differs from the first one. */
  private restated(
    { change, printed }: NonNullable<ReturnType<typeof restatementOf>>,
    { unit, currency }: FigureUnit,
    locale: Locale,
  ): string {
    const own = measureOf(unit, currency);
    const size = measureText(locale, combinedMeasure(own, 'minus', own) ?? own, printed);
    const text = (change > 0 ? '+' : '') + this.renderer.exactly(size, change, unitNamed(unit).scale);
    return this.renderer.say(locale, 'figures.restated', { text });
  }

  private ranking(of: NonNullable<MacroSeries['ranking']>, series: MacroSeries['series'], locale: Locale): string {
    const [first = 0, last = first] = [series[0], series.at(-1)].map((one) => one?.observations.at(-1)?.value ?? 0);
    const order = this.renderer.say(locale, `figures.${first < last ? 'lowest' : 'highest'}`);
    const form = of.inNewestPeriod === of.countries ? 'same' : 'mixed';
    const period = formatPeriod(locale, of.newestPeriod);
    return this.renderer.say(locale, `figures.ranked.${form}`, { ...of, order, count: series.length, period });
  }

  /** Goes with what stands in for what was requested: other periods, the close before an empty span, changes of an index. */
  instead(
    what: 'outside' | 'ahead' | 'begins' | 'years' | 'withdrawn' | 'before' | 'after' | 'average' | 'change',
    locale: Locale,
    args: TextArgs = {},
  ): string {
    return this.renderer.say(locale, `figures.${what}`, args);
  }

  /** What an index of months says, beside its changes of years. */
  month({ percent, period, ...of }: NewestMonth, locale: Locale): string {
    const words = { percent: percentText(locale, percent), period: formatPeriod(locale, period) };
    return this.renderer.say(locale, 'figures.month', { ...of, ...words });
  }

  points(instrument: InstrumentDetail, today: string, locale: Locale): string[] {
    const { points, currency } = instrument;
    const range = rangeOf(instrument);
    const lines = this.quoted(instrument, points, { today, locale, alone: true });
    if (range === null) return lines;
    const ends = [range.oldest, range.lowest, range.highest];
    const [oldest = '', lowest = '', highest = ''] = sideBySide(ends, currency, locale).map((one) =>
      this.renderer.figure(one, locale),
    );
    const all = this.renderer.say(locale, 'figures.range', {
      figures: range.figures,
      first: formatPeriod(locale, range.first),
      last: formatPeriod(locale, range.last),
      oldest,
      lowest,
      highest,
      mean: this.renderer.exactly(range.mean.text, range.mean.value, unitNamed(range.lowest.unit).scale),
    });
    // What a span says as a whole comes before its closes.
    return lines.toSpliced(1, 0, `  ${all}`);
  }

  bars(instruments: readonly InstrumentBars[], today: string, locale: Locale): string[] {
    if (instruments.length === 0) return [this.renderer.say(locale, 'empty')];
    return instruments.flatMap((one) => {
      const closes = one.bars.map(({ close }) => close);
      const gap = one.missing === null ? 'none' : 'frame';
      return this.quoted(one, closes, { today, locale, gap, alone: instruments.length === 1 });
    });
  }

  /** A notice of the result says that the only instrument or series is out of date. */
  private quoted(
    instrument: Instrument,
    figures: readonly SeriesFigure[],
    { today, locale, gap = 'none', alone }: QuoteOptions,
  ): string[] {
    const { name, key, currency, quote, source, status, lastObservedOn } = instrument;
    const ended = status === 'active' ? '' : ` · ${this.renderer.say(locale, 'figures.discontinued')}`;
    const head = `- ${name} (${key}) [${source}]${ended} · ${linkOf(instrument)}`;
    if (quote === null || lastObservedOn === null) return [head, `  ${this.renderer.say(locale, 'empty')}`];
    const [last = quote.last, previous = quote.previous, ...closes] = sideBySide(
      [quote.last, quote.previous, ...figures],
      currency,
      locale,
    );
    const days = Math.max(0, daysSince(lastObservedOn, today));
    const newest = this.renderer.say(locale, 'figures.newest', {
      figures: this.renderer.compared(last, previous, locale),
      days,
    });
    // Without figures in its span, the newest one would pass for an answer.
    const earlier =
      closes.length === 0 ? this.renderer.say(locale, `figures.${gap}`) : this.newestFirst(closes, locale);
    const isMentioned = closes.length === 1 && earlier === this.renderer.figure(last, locale);
    const age = alone ? [] : this.overdue(quote, locale).map((line) => `  ${line}`);
    const lines = [`  ${newest}`, ...age];
    if (isMentioned) return [head, ...lines];
    // Of a past span, the newest close is what was not asked for.
    const isPast = closes.length > 0 && closes.at(-1)?.period !== last.period;
    return isPast ? [head, `  ${earlier}`, ...lines] : [head, ...lines, `  ${earlier}`];
  }

  /** A sentence for a stale quote or series, or one that has ended; none for a current one. */
  private overdue({ stale, expectedBy }: Age, locale: Locale): string[] {
    if (expectedBy === null) return [this.renderer.say(locale, 'figures.ended')];
    if (!stale) return [];
    return [this.renderer.say(locale, 'figures.overdue', { day: formatDay(locale, expectedBy.slice(0, 10)) })];
  }

  private newestFirst(figures: readonly SeriesFigure[], locale: Locale): string {
    const texts = figures.toReversed().map((one) => {
      const figure = this.renderer.figure(one, locale);
      const { knownSince, knownUntil = null } = one;
      if (knownSince === null || knownUntil === null) return figure;
      const [from, until] = [formatDay(locale, knownSince), formatDay(locale, knownUntil)];
      return this.renderer.say(locale, 'figures.former', { figure, from, until });
    });
    return this.renderer.joined(texts, locale);
  }
}
