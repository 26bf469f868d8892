// Figures that a source withdrew or gave again, and the values that a figure had before its revision.
import { differsByMoreThan, isAbove, unsigned } from '../../domain/figures/decimal.js';
import {
  figureText,
  measuredName,
  plainUnit,
  looksAlike,
  readsAlike,
  textInUnit,
  writeFigures,
  writeSeries,
  type FigureUnit,
} from '../../domain/figures/figure-text.js';
import { unitNamed } from '../../domain/figures/units.js';
import { frequencyOf, periodsBetween } from '../../domain/figures/periods.js';
import { articled, isBalance, namedBySign, turnedTo, wordingOf } from '../../domain/figures/wording.js';
import { formatDay, formatPeriod, lowered } from '../../domain/locale/format.js';
import { LOCALES, type Locale } from '../../domain/locale/locale.js';
import { pluralForm } from '../../domain/locale/templates.js';
import { SENTENCES, VOICES } from '../../domain/locale/voice/voices.js';
import type { DerivedChange } from './release-revision.rule.js';
import type { PresenceChange, RevisionFacts } from './revision-facts.rule.js';
import {
  averaged,
  measured,
  textsInAll,
  sourceText,
  type ChangeTexts,
  type DatedVintage,
  type SeriesNames,
} from './templates.js';

export interface PresenceFacts extends DatedVintage {
  readonly subject: SeriesNames;
  readonly change: PresenceChange;
}

/** A balance is a surplus or a deficit; other values keep their signs. */
export function presenceTexts({ subject, change, ...vintage }: PresenceFacts): ChangeTexts {
  const { actual, previous, revision, period } = change;
  const { day } = vintage;
  const { way, periods, since } = revision;
  const wording = wordingOf(subject.wording, subject.aggregate === true);
  return textsInAll((locale) => {
    const { presence } = SENTENCES[locale].changes.revision;
    const { some, whole } = SENTENCES[locale].changes.rebasing;
    const all = periodsBetween(since, period).length;
    const own = lowered(locale, subject.name[locale]);
    const name = averaged(
      ...([locale, 'revision', subject.unit] as const),
      measured(locale, { ...subject, wording }, measuredName(locale, subject.unit, own)),
    );
    const measure = { unit: plainUnit(subject.unit), currency: subject.currency };
    const unchanged = actual !== null && printsAlike(locale, measure, actual, previous.value);
    const values = unchanged ? [previous.value] : [actual ?? previous.value, previous.value];
    const sides = isBalance(wording) ? wording.sides : null;
    const { full, beside } = writeFigures(locale, measure, sides === null ? values : values.map(unsigned));
    const named = (texts: readonly string[], at: 0 | 1): string => {
      const [value = previous.value, text = ''] = [values[at], texts[at]];
      if (Number(value) === 0) return figureText(locale, measure, '0');
      return sides === null ? text : turnedTo(locale, sides.turn, value, text);
    };
    const words = {
      name,
      region: subject.region[locale],
      publisher: subject.publisher[locale],
      day: formatDay(locale, day),
      period: formatPeriod(locale, period),
      since: formatPeriod(locale, since),
      actual: named(full, 0),
      previous: named(actual === null ? full : beside, 1),
      span: (all === periods ? whole : some)[frequencyOf(period)]({ count: String(periods), all: String(all) }),
    };
    const { headline, summary } = presence[unchanged ? 'unchanged' : way][periods === 1 ? 'one' : 'several'];
    return {
      headline: headline(words),
      summary:
        summary({ ...words, name: articled(locale, wording, name) }) +
        earlierText(locale, subject, change, revision) +
        sourceText(locale, vintage, words),
    };
  });
}

/** A source that gives a figure again seldom prints the last of sixteen digits as before. */
const printsAlike = (locale: Locale, measure: FigureUnit, actual: string, previous: string): boolean =>
  !differsByMoreThan(previous, actual) && looksAlike(locale, measure, actual, previous);

/**
 * Through which values a figure went, without those that read as the one before. Empty where it had only the one that its
 * sentence names.
 */
export function earlierText(
  locale: Locale,
  subject: SeriesNames,
  { period, actual }: { readonly period: string; readonly actual: string | null },
  { earlier }: Pick<RevisionFacts, 'earlier'>,
): string {
  const values = earlier.flatMap(({ value }) => value ?? []);
  const texts = valueTexts(locale, subject, values, actual);
  const dated = earlier.map(({ value, knownSince }) => ({
    text: value === null ? null : (texts.shift() ?? null),
    knownSince,
  }));
  const seen = dated.filter(({ text }, at) => text === null || text !== dated[at - 1]?.text);
  if (seen.length < 2) return '';
  const { all, value, none } = SENTENCES[locale].changes.revision.earlier;
  const list = seen.map((one) => {
    const day = formatDay(locale, one.knownSince);
    return one.text === null ? none({ day }) : value({ day, figure: one.text });
  });
  return all({ period: formatPeriod(locale, period), list: list.join(VOICES[locale].comma) });
}

/** The earlier figure of a release after and before its revision; null if both read alike in one of the languages. */
export function formerWords(locale: Locale, subject: SeriesNames, change: DerivedChange): FormerWords | null {
  const differs = LOCALES.every((one) => formerIn(one, subject, change) !== null);
  return differs ? formerIn(locale, subject, change) : null;
}

type FormerWords = Readonly<Record<'revised' | 'former', string>>;

function formerIn(
  locale: Locale,
  subject: SeriesNames,
  { actual, previousRevised, previous }: DerivedChange,
): FormerWords | null {
  if (previousRevised === undefined || previous.value === null) return null;
  const wording = wordingOf(subject.wording, subject.aggregate === true);
  const measure = { unit: plainUnit(subject.unit), currency: subject.currency };
  const values = [previous.value, previousRevised];
  if (new Set(writeSeries(locale, measure, values, false)).size === 1) return null;
  const beside = readsAlike(locale, measure, actual, previous.value) ? [actual] : [actual, previous.value];
  // The name of the figure has their side, unless they lie on both.
  const sides = new Set([actual, ...values].map((value) => isAbove('0', value)));
  const turn = sides.size === 1 ? undefined : wording.sides?.turn;
  const written = values.map((value) =>
    turn === undefined ? namedBySign(locale, subject.name, wording, value).value : unsigned(value),
  );
  const { full } = writeFigures(locale, measure, written, beside.map(unsigned));
  const [revised = '', former = ''] = full.map((text, at) =>
    turn === undefined ? text : turnedTo(locale, turn, values[at] ?? '', text),
  );
  return { revised, former };
}

/** Values of one period: of a deficit, as all of them and the newest are, without the sign that its name has. */
function valueTexts(
  locale: Locale,
  { unit, currency, wording, aggregate }: SeriesNames,
  values: readonly string[],
  actual: string | null,
): string[] {
  const measure = { unit: plainUnit(unit), currency };
  const isNamed = isBalance(wordingOf(wording, aggregate === true));
  const isDeficit = [...values, ...(actual === null ? [] : [actual])].every((value) => isAbove('0', value));
  return values.map((value) =>
    textInUnit(locale, unitNamed(measure.unit), currency, isNamed && isDeficit ? unsigned(value) : value),
  );
}

/** How many figures of the series moved by too little to be changes. */
export function smallerText(locale: Locale, { smaller }: Pick<RevisionFacts, 'smaller'>): string {
  if (smaller === 0) return '';
  return SENTENCES[locale].changes.revision.smaller[pluralForm(locale, smaller)]({
    count: VOICES[locale].count(smaller),
  });
}
