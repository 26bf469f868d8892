import { Injectable } from '@nestjs/common';
import { printedText } from '../../domain/figures/decimal.js';
import { figureText } from '../../domain/figures/figure-text.js';
import { unitNamed, type UnitCode } from '../../domain/figures/units.js';
import { formatCount, formatDay } from '../../domain/locale/format.js';
import type { Locale } from '../../domain/locale/locale.js';
import type { Change, ChangeDetail } from '../../serve/resources/changes/change.schema.js';
import type { Total } from '../../serve/responses/result.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import { daysOf, haveSummaries } from '../projections/change-projection.js';
import { inert } from '../protocol/quoted-text.js';
import { TextRenderer } from './text-renderer.service.js';

/** Renders changes as text: headline, figures, classification, signals and link; summaries of few. */
@Injectable()
export class ChangeText {
  constructor(private readonly renderer: TextRenderer) {}

  /** A list with its length in the first line. */
  page(changes: readonly Change[], locale: Locale, total?: Total): string[] {
    if (changes.length === 0) return [this.renderer.say(locale, 'empty')];
    return [this.head(changes.length, locale, total), ...this.list(changes, locale)];
  }

  /** @param total of a list by importance */
  private head(count: number, locale: Locale, total: Total | undefined): string {
    if (total === undefined) return this.renderer.say(locale, 'change.list', { count });
    const form = total.exact ? 'exact' : 'more';
    const all = formatCount(locale, total.count);
    return this.renderer.say(locale, `change.ranked.${form}`, { count, total: all });
  }

  list(changes: readonly Change[], locale: Locale): string[] {
    return changes.flatMap((change, index) => [
      `${index + 1}. ${inert(change.headline)}`,
      ...(haveSummaries(changes) ? [`   ${inert(change.summary)}`] : []),
      ...this.facts(change, locale),
    ]);
  }

  one(change: ChangeDetail, locale: Locale): string[] {
    const { headline, summary, corrections, figure } = change;
    const unit = figure?.unit.code;
    return [
      inert(headline),
      inert(summary),
      ...this.facts(change, locale),
      ...corrections.map(({ correctedAt, actual, previous }) =>
        this.renderer.say(locale, 'change.correction', {
          at: this.renderer.moment(correctedAt, locale),
          actual: this.bare(actual, unit, locale),
          previous: this.bare(previous, unit, locale),
        }),
      ),
    ];
  }

  private facts(change: Change, locale: Locale): string[] {
    const { figure, kind, status, evidenceClass, occurredAt, occurredBasis, importance, sources } = change;
    const { publishedOn, updatedOn } = daysOf(change);
    const on = (key: string, day: string): string =>
      this.renderer.say(locale, `change.${key}`, { at: formatDay(locale, day) });
    const facts = [
      this.renderer.say(locale, `change.kind.${kind}`),
      this.renderer.say(locale, `change.evidence.${evidenceClass}`),
      this.renderer.say(locale, `change.occurred.${occurredBasis}`, { at: this.renderer.moment(occurredAt, locale) }),
      ...(publishedOn === null ? [] : [on('published', publishedOn)]),
      this.renderer.say(locale, 'change.importance', { importance }),
      ...(status === 'corrected' ? [on('corrected', updatedOn)] : []),
      `[${sources.join(', ')}]`,
    ];
    const compared =
      figure === null
        ? []
        : [`   ${this.renderer.compared(figure.actual, figure.previous, locale, figure.deltaPercent)}`];
    const signals = change.signals.map(
      ({ id, title }) => `   ${this.renderer.say(locale, 'change.signal', { id, title: inert(title) })}`,
    );
    return [...compared, `   ${facts.join(' · ')}`, ...signals, `   ${linkOf(change)}`];
  }

  private bare(value: number | null, unit: UnitCode | undefined, locale: Locale): string {
    if (value === null || unit === undefined) return this.renderer.say(locale, 'none');
    const text = figureText(locale, { unit, currency: null }, printedText(value, null));
    return this.renderer.exactly(text, value, unitNamed(unit).scale);
  }
}
