import { Injectable } from '@nestjs/common';
import type { Figure } from '../../figures/figure.schema.js';
import { writeSeries } from '../../figures/figure-text.js';
import type { Locale } from '../../locale/locale.js';
import { formatDay } from '../../locale/format.js';
import type { MacroSeries } from '../../resources/macro/macro.schema.js';
import type { Instrument, InstrumentBars, InstrumentDetail } from '../../resources/markets/market.schema.js';
import { linkOf } from '../../responses/url-builder.service.js';
import { TextRenderer } from './text-renderer.service.js';

const DAY_MS = 86_400_000;

/** Series and quotes as lines of text: newest first, each figure with its period, each quote with its age. */
@Injectable()
export class FigureText {
  constructor(private readonly renderer: TextRenderer) {}

  series({ indicator, series }: MacroSeries, locale: Locale): string[] {
    const { name } = indicator;
    const lines = series.map((one) => {
      const { region, observations, currency, source } = one;
      const figures = this.newestFirst(sideBySide(observations, currency, locale), locale);
      return `${this.renderer.say(locale, 'figures.of', { ...region, figures, source })} · ${linkOf(one)}`;
    });
    return lines.length === 0 ? [name, this.renderer.say(locale, 'empty')] : [name, ...lines];
  }

  points(instrument: InstrumentDetail, today: string, locale: Locale): string[] {
    return this.quoted(instrument, instrument.points, today, locale);
  }

  bars(instruments: readonly InstrumentBars[], today: string, locale: Locale): string[] {
    if (instruments.length === 0) return [this.renderer.say(locale, 'empty')];
    return instruments.flatMap((one) => {
      const closes = one.bars.map(({ close }) => close);
      return this.quoted(one, closes, today, locale);
    });
  }

  private quoted(
    instrument: Instrument,
    figures: readonly Figure[],
    today: string,
    locale: Locale,
  ): string[] {
    const { name, key, currency, quote, source, lastObservedOn } = instrument;
    const head = `- ${name} (${key}) [${source}] · ${linkOf(instrument)}`;
    if (quote === null || lastObservedOn === null) return [head, `  ${this.renderer.say(locale, 'empty')}`];
    const [last = quote.last, previous = quote.previous, ...closes] = sideBySide(
      [quote.last, quote.previous, ...figures],
      currency,
      locale,
    );
    const days = Math.max(0, (Date.parse(today) - Date.parse(lastObservedOn)) / DAY_MS);
    const newest = this.renderer.say(locale, 'figures.newest', {
      figures: this.renderer.compared(last, previous, locale),
      day: formatDay(locale, lastObservedOn),
      days,
    });
    const earlier = this.newestFirst(closes, locale);
    return [head, `  ${newest}`, ...(earlier === '' ? [] : [`  ${earlier}`])];
  }

  private newestFirst(figures: readonly Figure[], locale: Locale): string {
    const texts = figures.toReversed().map((one) => this.renderer.figure(one, locale));
    const [first = '', ...others] = texts;
    return others.reduce(
      (before, after) => this.renderer.say(locale, 'figures.joined', { before, after }),
      first,
    );
  }
}

/** The same figures with texts that have equal decimals. */
function sideBySide(figures: readonly Figure[], currency: string | null, locale: Locale): Figure[] {
  const [first] = figures;
  if (first === undefined) return [];
  const printed = figures.flatMap(({ value, decimals }) =>
    value === null ? [] : [value.toFixed(decimals ?? 0)],
  );
  const texts = writeSeries(locale, { unit: first.unit, currency }, printed);
  return figures.map((one) => (one.value === null ? one : { ...one, text: texts.shift() ?? one.text }));
}
