import { Injectable } from '@nestjs/common';
import type { UnitCode } from '../figures/units.js';
import type { Locale } from '../locale/locale.js';
import type { Change, ChangeDetail } from '../resources/changes/change.schema.js';
import { Wording } from './wording.service.js';

/** Changes as lines of text: the headline, and below it the figure, what it was before, and where to read on. */
@Injectable()
export class ChangeLines {
  constructor(private readonly wording: Wording) {}

  /** With a first line that says how many there are. */
  page(changes: readonly Change[], locale: Locale): string[] {
    if (changes.length === 0) return [this.wording.say(locale, 'empty')];
    const head = this.wording.say(locale, 'change.list', { count: changes.length });
    return [head, ...this.list(changes, locale)];
  }

  list(changes: readonly Change[], locale: Locale): string[] {
    return changes.flatMap((change, index) => [
      `${index + 1}. ${change.headline}`,
      ...this.facts(change, locale),
    ]);
  }

  one(change: ChangeDetail, locale: Locale): string[] {
    const { headline, summary, corrections, figure } = change;
    const unit = figure?.unit.code;
    return [
      headline,
      summary,
      ...this.facts(change, locale),
      ...corrections.map(({ correctedAt, actual, previous }) =>
        this.wording.say(locale, 'change.correction', {
          at: this.wording.moment(correctedAt, locale),
          actual: this.bare(actual, unit, locale),
          previous: this.bare(previous, unit, locale),
        }),
      ),
    ];
  }

  private facts(change: Change, locale: Locale): string[] {
    const { figure, kind, status, occurredAt, occurredBasis, importance, sources, url } = change;
    const facts = [
      this.wording.say(locale, `change.kind.${kind}`),
      this.wording.say(locale, `change.occurred.${occurredBasis}`, {
        at: this.wording.moment(occurredAt, locale),
      }),
      this.wording.say(locale, 'change.importance', { importance }),
      ...(status === 'corrected' ? [this.wording.say(locale, 'change.corrected')] : []),
      `[${sources.join(', ')}]`,
    ];
    const compared = figure === null ? [] : [`   ${this.compared(figure, locale)}`];
    return [...compared, `   ${facts.join(' · ')}`, `   ${url}`];
  }

  private compared(
    { actual, previous, delta, deltaPercent, unit }: NonNullable<Change['figure']>,
    locale: Locale,
  ): string {
    const sentence = this.wording.compared(actual, previous, unit.code, locale);
    if (delta === null) return sentence;
    const by = deltaPercent === null ? signed(delta) : `${signed(delta)} / ${signed(deltaPercent)}%`;
    return `${sentence}${this.wording.say(locale, 'change.by', { by })}`;
  }

  private bare(value: number | null, unit: UnitCode | undefined, locale: Locale): string {
    if (value === null || unit === undefined) return this.wording.say(locale, 'none');
    return this.wording.amount(value, unit, locale);
  }
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}
