import { sideBySide } from '../../../domain/figures/side-by-side.js';
import { figure, numberOf, unitOf } from '../../../domain/figures/figure.js';
import { dayOf } from '../../../domain/figures/periods.js';
import { LOCALES, type Locale, type Localized } from '../../../domain/locale/locale.js';
import { SENTENCES } from '../../../domain/locale/voice/voices.js';
import { Citations } from '../../../domain/sources/citations.js';
import type { RevisionFacts } from '../../derive/revision-facts.rule.js';
import type { StoredChange, StoredContext, ShownNames } from './change-facts.js';

/** A change as responses show it, without its id and links, which depend on where it is served. */
export interface ChangeDocument {
  readonly position: number;
  /** JSON. */
  readonly texts: Localized;
  /** What `texts` cites. */
  readonly cited: Citations;
}

/** The only place that decides how a list or a response shows a change. */
export function renderChange(facts: StoredChange, names: ShownNames): ChangeDocument {
  const cited = new Citations();
  const texts = LOCALES.map((locale) => [locale, JSON.stringify(shown(facts, names, locale, cited))] as const);
  return { position: facts.position, texts: Object.fromEntries(texts) as Localized, cited };
}

function shown(facts: StoredChange, names: ShownNames, locale: Locale, cite: Citations) {
  const total = facts.previousValue === null || facts.actualValue === null ? 1 : 2;
  return {
    kind: facts.kind,
    status: facts.status,
    evidenceClass: facts.evidenceClass,
    headline: facts.headline[locale],
    summary: facts.summary[locale],
    importance: facts.importance,
    occurredAt: facts.occurredPrecision === 'day' ? dayOf(facts.occurredAt) : facts.occurredAt.toISOString(),
    occurredBasis: facts.occurredBasis,
    publishedAt: facts.publishedAt.toISOString(),
    updatedAt: facts.updatedAt.toISOString(),
    figure: figureOf(facts, names, locale, cite),
    context: facts.context && shownContext(facts.context, locale),
    subject: subjectOf(facts, names, locale, cite),
    countries: facts.regions,
    coverage: inOrder(facts.coverage, names.coverage).map(({ key, name }) => ({ key, name: name[locale] })),
    topics: inOrder(facts.topics, names.topics).map(({ key, name }) => ({ slug: key, name: name[locale] })),
    companies: facts.companies.map(({ slug, name }) => ({ slug, name })),
    entities: facts.entities.map(({ id, name }) => ({ id, name })),
    signals: facts.signals.map(({ id, title }) => ({ id, title: title[locale] })),
    evidence: { total, publishers: 1, byLevel: { [facts.level]: total } },
    sources: cite.sources([facts.source, ...facts.origins]),
  };
}

function shownContext({ value, text, ...facts }: StoredContext, locale: Locale) {
  return { ...facts, reference: numberOf(value), text: text[locale] };
}

const shownRevision = ({ earlier, ...revision }: RevisionFacts) => ({
  ...revision,
  earlier: earlier.map(({ value, knownSince }) => ({
    value: numberOf(value),
    missing: value === null ? ('withdrawn_by_source' as const) : null,
    knownSince,
  })),
});

const inOrder = <Entry extends { readonly ordinal: number }>(
  keys: readonly string[],
  entries: ReadonlyMap<string, Entry>,
): Entry[] => keys.map((key) => entryOf(entries, key)).sort((a, b) => a.ordinal - b.ordinal);

function subjectOf(facts: StoredChange, names: ShownNames, locale: Locale, cite: Citations) {
  const { indicator, region, instrument, entity } = facts;
  if (indicator !== null && region !== null) {
    const name = SENTENCES[locale].resources.series({
      indicator: entryOf(names.indicators, indicator).shortName[locale],
      region: entryOf(names.regions, region).name[locale],
    });
    return { type: 'series', key: `${cite.series(indicator)}@${region}`, name, region };
  }
  if (instrument !== null) {
    const { name } = entryOf(names.instruments, instrument);
    return { type: 'instrument', key: cite.series(instrument), name: name[locale], region: null };
  }
  if (entity === null) throw new Error(`The change at ${facts.position} has no subject`);
  return { type: 'entity', key: entity.id, name: entity.name, region: null };
}

function figureOf(facts: StoredChange, names: ShownNames, locale: Locale, cite: Citations) {
  const measured = measuredBy(facts, names);
  if (measured === null) return null;
  const { period, previousPeriod, source, origins } = facts;
  if (period === null || previousPeriod === null) {
    throw new Error(`The change at ${facts.position} has no period`);
  }
  const { unit, currency } = measured;
  const series = { unit, currency, locale, source, origins };
  const shown = {
    actual: figure(cite, {
      ...series,
      value: facts.actualValue,
      missing: facts.actualValue === null ? 'withdrawn_by_source' : null,
      period,
      knownSince: facts.knownSince,
    }),
    previous: figure(cite, {
      ...series,
      value: facts.previousValue,
      missing: facts.previousMissing,
      period: previousPeriod,
      knownSince: facts.previousKnownSince,
    }),
  };
  const [actual = shown.actual, previous = shown.previous] = sideBySide(
    [shown.actual, shown.previous],
    currency,
    locale,
  );
  return {
    name: measured.name[locale],
    unit: unitOf(unit, locale, currency),
    period,
    previous,
    actual,
    delta: numberOf(facts.delta),
    deltaPercent: numberOf(facts.deltaPercent),
    revision: facts.revision && shownRevision(facts.revision),
  };
}

/** Null for a change without figures. */
function measuredBy({ indicator, region, instrument }: StoredChange, names: ShownNames) {
  if (instrument !== null) return entryOf(names.instruments, instrument);
  if (indicator === null || region === null) return null;
  const { name, unit } = entryOf(names.indicators, indicator);
  return { name, unit, currency: entryOf(names.regions, region).currency };
}

function entryOf<Entry>(entries: ReadonlyMap<string, Entry>, key: string): Entry {
  const entry = entries.get(key);
  if (entry === undefined) throw new Error(`The catalogue lacks ${key}`);
  return entry;
}
