// Headline and summary of a change in three languages, as a statistics office would announce it.
import { isAbove, unsigned } from '../../domain/figures/decimal.js';
import {
  figureText,
  fromTo,
  isSlight,
  measuredName,
  percentBeside,
  readsAlike,
  withBase,
  writeFigures,
  type FigureUnit,
} from '../../domain/figures/figure-text.js';
import { frequencyOf, isOldNews } from '../../domain/figures/periods.js';
import { isExchangeRate, unitNamed, type UnitCode } from '../../domain/figures/units.js';
import type { VintageBasis } from '../../domain/figures/vintage-basis.js';
import {
  articled,
  namedBySign,
  nameOf,
  turnBetween,
  turnedTo,
  verbForms,
  wordingOf,
  type Wording,
} from '../../domain/figures/wording.js';
import {
  formatDay,
  formatPeriod,
  formatPeriodBeside,
  formatWhen,
  formatWhenBeside,
  lowered,
} from '../../domain/locale/format.js';
import { inAll, type Locale, type Localized } from '../../domain/locale/locale.js';
import { nameInText } from '../../domain/locale/places.js';
import { belowZero } from './below-zero.js';
import { exchangeWords } from './exchange-texts.js';
import { indexChange, indexText, type IndexChange } from './index-change.js';
import { isApart, rebasingWords, restatedIn } from './rebasing-texts.js';
import type { DerivedChange } from './release-revision.rule.js';
import { CHANGE_TEMPLATES, averaged, measured, type ChangeTemplates } from './templates.js';

export interface SeriesNames {
  readonly name: Localized;
  readonly region: Localized;
  readonly unit: UnitCode;
  readonly currency: string | null;
  readonly wording: Wording;
  readonly publisher: Localized;
  /** Whether the region is a group of economies. */
  readonly aggregate?: boolean;
}

export interface ChangeFacts {
  readonly subject: SeriesNames;
  readonly change: DerivedChange;
  readonly delta: string | null;
  readonly deltaPercent: string | null;
  /** The figure of the same month a year earlier, as known on the day; null for other frequencies. */
  readonly yearBefore: string | null;
  readonly published?: boolean; // The earlier figure, on the day since which it is known.
  readonly day: string;
  readonly basis: VintageBasis;
}

export interface ChangeTexts {
  readonly headline: Localized;
  readonly summary: Localized;
}

export function changeTexts(facts: ChangeFacts): ChangeTexts {
  const wording = wordingOf(facts.subject.wording, facts.subject.aggregate === true);
  const texts = inAll((locale) => textsIn(locale, { ...facts, subject: { ...facts.subject, wording } }));
  return {
    headline: inAll((locale) => texts[locale].headline),
    summary: inAll((locale) => texts[locale].summary),
  };
}

function textsIn(locale: Locale, facts: ChangeFacts): { headline: string; summary: string } {
  const { release, revision, rebasing, source } = CHANGE_TEMPLATES[locale];
  const { words, said, below } = wordsIn(locale, facts);
  const old = facts.change.kind === 'release' && isOldNews(facts.change.period, facts.day);
  const revised = facts.change.previousRevised === true ? release.previousRevised(words) : '';
  const credit = (old ? release.newest({}) : '') + revised + source[facts.basis](words);
  const { subject, change } = facts;
  const told = { ...words, name: articled(locale, subject.wording, words['name'] ?? '') };
  const { actual } = change;
  if (change.rebasing !== undefined) {
    const name = lowered(locale, subject.name[locale]);
    const restated = { ...words, ...rebasingWords(locale, { ...subject, ...change }, change.rebasing) };
    const rebased = {
      ...restated,
      name: measured(locale, subject, measuredName(locale, subject.unit, name)),
    };
    const moved = unitNamed(subject.unit).dimension === 'index' && change.proportional === true;
    const way = moved ? 'index' : isApart(actual, change.previous.value ?? actual) ? 'scale' : 'figures';
    const { headline, summary } = rebasing[way];
    return {
      headline: headline({ ...rebased, newest: restatedIn(locale, subject, change) }),
      summary: summary({ ...rebased, name: articled(locale, subject.wording, rebased.name) }) + credit,
    };
  }
  if (change.kind === 'revision') {
    const down = words['direction'] === 'down';
    // A restated exchange rate, up or down, says nothing of a currency that gains or loses.
    const neutral = isExchangeRate(subject.unit) ? 'crossed' : null;
    const own = below ? (down ? 'shallower' : 'deeper') : down ? 'down' : 'up';
    const way = said === 'crossed' || said === 'steady' || said === 'slight' ? said : (neutral ?? own);
    // A figure that reads as before needs no word on how long it stood.
    const since =
      said === 'steady' ? '' : revision.since[facts.published === true ? 'published' : 'held'](words);
    return { headline: revision.headline[way](words), summary: revision.summary[way](told) + since + credit };
  }
  const index = indexOf(facts);
  if (index !== null) {
    const { headline, summary } = release.index;
    const level = { ...words, actual: withBase(locale, subject.unit, words['actual'] ?? '') };
    return {
      headline: indexText(locale, { ...headline, alone: headline.month }, index, words) + headline.end(level),
      summary: indexText(locale, summary, index, { ...level, name: told.name }) + credit,
    };
  }
  if (words['holder'] !== undefined) {
    const way = said === 'same' || said === 'steady' ? said : words['gains'] === 'true' ? 'up' : 'down';
    return {
      headline: release.headline.exchange[way](words),
      summary: release.summary.exchange[way](words) + credit,
    };
  }
  const headline = said === 'share' ? 'moved' : said;
  const known = headline === 'not_published' || headline === 'withdrawn_by_source' ? 'alone' : headline;
  return { headline: release.headline[known](words), summary: release.summary[said](told) + credit };
}

function indexOf({ subject, change, yearBefore }: ChangeFacts): IndexChange | null {
  return indexChange({ ...change, unit: subject.unit, previous: change.previous.value, yearBefore });
}

type Said = Exclude<keyof ChangeTemplates['release']['summary'], 'exchange' | 'index'>;

function wordsIn(
  locale: Locale,
  { subject, change, delta, deltaPercent, day }: ChangeFacts,
): { words: Record<string, string>; said: Said; below: boolean } {
  const { actual, previous, kind } = change;
  const name = nameOf(kind, subject.name, subject.wording);
  const now = namedBySign(locale, name, subject.wording, actual);
  const before = previous.value === null ? null : namedBySign(locale, name, subject.wording, previous.value);
  const up = before === null || isAbove(now.value, before.value);
  const percent = deltaPercent === null ? null : unsigned(deltaPercent);
  const { shown, ...written } = figuresIn(
    locale,
    subject,
    kind,
    before === null ? [now.value] : [now.value, before.value],
  );
  const exchange =
    kind === 'release' && previous.value !== null && isExchangeRate(subject.unit)
      ? exchangeWords(locale, subject, actual, previous.value)
      : null;
  const words: Record<string, string> = {
    region: nameInText(locale, subject.region[locale]),
    name: averaged(locale, kind, subject.unit, measured(locale, subject, lowered(locale, now.name))),
    period: formatPeriod(locale, change.period),
    when: formatWhen(locale, change.period),
    previousPeriod: formatPeriodBeside(locale, previous.period, change.period),
    previousWhen: formatWhenBeside(locale, previous.period, change.period),
    ...written,
    publisher: subject.publisher[locale],
    day: formatDay(locale, day),
    knownSince: previous.knownSince === null ? '' : formatDay(locale, previous.knownSince),
    direction: up ? 'up' : 'down',
    ...verbForms(locale, subject.wording.verb, now.negative, up),
    ...(kind === 'release' && belowZero(locale, subject.wording, [now.value, before?.value], written.delta)),
    percent:
      percent === null ? '' : shareOf(locale, subject, change.period, percentBeside(locale, percent, shown)),
    ...exchange,
  };
  const below = now.negative;
  if (previous.missing !== null) return { words, said: previous.missing, below };
  if (Number(delta) === 0) return { words, said: 'same', below };
  const turned = turnWords(locale, subject, kind, actual, previous.value);
  if (turned !== null) return { words: { ...words, ...turned }, said: 'crossed', below };
  const tiny = percent !== null && Number(percent) < 0.005;
  const hidden = before !== null && (tiny || readsAlike(locale, subject, now.value, before.value));
  if (hidden) {
    const [one = '', other] = [now.value, before.value].map((of) => figureText(locale, subject, of));
    const alike = kind === 'release' || one === other;
    if (alike) return { words: { ...words, actual: one }, said: 'steady', below };
  }
  if (exchange !== null) return { words, said: 'moved', below };
  if (before !== null && isSlight(subject, now.value, before.value)) {
    return { words, said: 'slight', below };
  }
  const counted =
    unitNamed(subject.unit).dimension === 'money' || unitNamed(subject.unit).dimension === 'count';
  return { words, said: counted && percent !== null ? 'share' : 'moved', below };
}

/** A share of the quarter before is none of a year, and one of dollars none of the economy's own currency. */
function shareOf(locale: Locale, { unit, currency }: SeriesNames, period: string, percent: string) {
  const { quarterly, dollars } = CHANGE_TEMPLATES[locale].release;
  if (frequencyOf(period) === 'Q') return quarterly({ percent });
  const converted = unit.startsWith('usd') && currency !== 'USD';
  return converted ? dollars({ percent }) : percent;
}

/** Both figures by their sides, without signs; `null` if the figures stay on one side. */
function turnWords(
  locale: Locale,
  subject: SeriesNames,
  kind: DerivedChange['kind'],
  actual: string,
  previous: string | null,
): Record<string, string> | null {
  const turn = turnBetween(subject.wording, actual, previous);
  if (turn === null || previous === null) return null;
  const written = figuresIn(locale, subject, kind, [unsigned(actual), unsigned(previous)]);
  return {
    name: measured(locale, subject, turn.subject[locale]),
    actual: turnedTo(locale, turn, actual, written.actual),
    previous: turnedTo(locale, turn, previous, written.previous),
  };
}

interface FiguresSaid {
  readonly actual: string;
  readonly previous: string;
  readonly delta: string;
  /** Both as printed, for a percentage between them. */
  readonly shown: readonly [from: string, to: string];
}

/** A revision names the earlier value first; a release names its own first. */
function figuresIn(
  locale: Locale,
  measure: FigureUnit,
  kind: DerivedChange['kind'],
  values: readonly string[],
): FiguresSaid {
  const written = writeFigures(locale, measure, values);
  const [now = '0', before = '0'] = written.shown;
  const rest = { delta: written.difference, shown: [before, now] as const };
  if (kind === 'release')
    return { actual: written.full[0] ?? '', previous: written.beside[1] ?? '', ...rest };
  const { from, to } = fromTo(locale, written);
  return { actual: to, previous: from, ...rest };
}
