import { Injectable } from '@nestjs/common';
import { formatPeriod } from '../../domain/locale/format.js';
import type { Locale } from '../../domain/locale/locale.js';
import { VOICES } from '../../domain/locale/voice/voices.js';
import type { Series } from '../../serve/resources/series/series.schema.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import { isOfSteps, shownStatistics } from '../projections/computation-projection.js';
import { TextRenderer } from './text-renderer.service.js';

type Statistics = NonNullable<Series['statistics']>;
type Input = NonNullable<Series['computed']>['inputs'][number];
type Level = NonNullable<Statistics['level']>;

/** Computed series as lines of text: what was computed of what, the statistics of the span, then points, newest first. */
@Injectable()
export class SeriesText {
  constructor(private readonly renderer: TextRenderer) {}

  lines(all: readonly Series[], locale: Locale): string[] {
    return all.flatMap((one) => {
      const { name, unit, computed, sources } = one;
      const statistics = shownStatistics(one);
      const head = `- ${name} · ${unit.label} [${sources.join(', ')}] · ${linkOf(one)}`;
      const inputs = computed?.inputs.map((input) => this.input(input, locale)).join(VOICES[locale].semicolon) ?? '';
      const { operation } = computed ?? {};
      return [
        head,
        ...(operation === undefined ? [] : [this.renderer.say(locale, 'computation.computed', { operation, inputs })]),
        ...(statistics === null ? [] : this.statistics(statistics, one, locale)),
        ...this.points(one, locale),
      ].map((line, index) => (index === 0 ? line : `  ${line}`));
    });
  }

  private input({ series, name, unit: { scale }, last }: Input, locale: Locale): string {
    if (last === null) return `${series}: ${name}`;
    const figure = this.renderer.figure({ ...last, missing: null, scale }, locale);
    return this.renderer.say(locale, 'computation.input', { series, name, figure });
  }

  private points({ points, omitted, unit: { scale } }: Series, locale: Locale): string[] {
    if (points.length === 0) return [];
    const texts = points.toReversed().map((point) => {
      const figure = this.renderer.figure({ ...point, scale }, locale);
      return point.complete ? figure : this.renderer.say(locale, 'computation.running', { figure });
    });
    const figures = this.renderer.joined(texts, locale);
    const left = omitted > 0 ? [this.renderer.say(locale, 'computation.omitted', { omitted })] : [];
    return [this.renderer.joined([figures, ...left], locale)];
  }

  private statistics(
    { figures, missing, first, last, level, ...of }: Statistics,
    one: Series,
    locale: Locale,
  ): string[] {
    const { scale } = one.unit;
    const say = (key: string, args: Readonly<Record<string, string | number>>): string =>
      this.renderer.say(locale, `computation.${key}`, args);
    const { lowest, highest, mean, change, largestRise, largestFall } = of;
    const span = [
      say('span', { figures, ...this.spanned(first, last, locale) }),
      ...(missing > 0 ? [say('missing', { missing })] : []),
      say('lowest', { figure: this.ranked(lowest, scale, locale) }),
      say('highest', { figure: this.ranked(highest, scale, locale) }),
      ...(mean === null ? [] : [say('mean', { text: this.renderer.exactly(mean.text, mean.value, scale) })]),
      ...(change === null || isOfSteps(one) ? [] : [say('change', { text: this.change(change, scale, locale) })]),
      ...(['rise', 'fall'] as const).flatMap((key) => {
        const step = key === 'rise' ? largestRise : largestFall;
        if (step === null || isOfSteps(one)) return [];
        const text = this.renderer.exactly(step.text, step.change, scale);
        return [say(key, { text, ...this.spanned(step.from, step.to, locale) })];
      }),
    ];
    return [this.renderer.joined(span, locale), ...(level === null ? [] : [this.level(level, first, scale, locale)])];
  }

  private change({ text, change, percent }: NonNullable<Statistics['change']>, scale: number, locale: Locale) {
    const size = this.renderer.exactly(text, change, scale);
    if (percent === null) return size;
    return VOICES[locale].bracketed(size, this.renderer.exactly(percent.text, percent.value, 0));
  }

  /** A run that begins with the span may have begun before it. */
  private level({ level, above, equal, below, ...of }: Level, first: string, scale: number, locale: Locale): string {
    const say = (key: string, args: Readonly<Record<string, string | number>>): string =>
      this.renderer.say(locale, `computation.${key}`, args);
    const run = (key: string, one: Level['longestAbove']): string[] => {
      if (one === null) return [];
      const counted = say(one.first === first ? 'least' : 'counted', { figures: one.figures });
      return [say(key, { run: counted, ...this.spanned(one.first, one.last, locale) })];
    };
    const last = (key: string, one: Level['lastAbove']): string[] =>
      one === null ? [] : [say(key, { figure: this.figure(one, scale, locale) })];
    const crossing = (one: Level['firstCrossing']): string =>
      one === null ? '' : say(one.direction, { figure: this.figure(one, scale, locale) });
    const { crossings, firstCrossing, lastCrossing } = of;
    return this.renderer.joined(
      [
        say('level', { level, above, equal, below }),
        ...run('longest.above', of.longestAbove),
        ...run('longest.below', of.longestBelow),
        ...(of.lastRun === null ? [] : run(`run.${of.lastRun.side}`, of.lastRun)),
        ...last('last.above', of.lastAbove),
        ...last('last.below', of.lastBelow),
        crossings === 0
          ? say('uncrossed', { crossings })
          : say('crossings', { crossings, first: crossing(firstCrossing), last: crossing(lastCrossing) }),
      ],
      locale,
    );
  }

  /** A figure that stands only once says nothing of it. */
  private ranked({ figures, ...one }: Statistics['lowest'], scale: number, locale: Locale): string {
    const text = this.figure(one, scale, locale);
    return figures === 1 ? text : this.renderer.say(locale, 'computation.equal', { text, figures });
  }

  private figure(one: Omit<Statistics['lowest'], 'figures'>, scale: number, locale: Locale): string {
    return this.renderer.figure({ ...one, missing: null, scale }, locale);
  }

  private spanned(first: string, last: string, locale: Locale): { first: string; last: string } {
    return { first: formatPeriod(locale, first), last: formatPeriod(locale, last) };
  }
}
