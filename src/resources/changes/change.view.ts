import type { UrlBuilder } from '../../responses/url-builder.service.js';
import { figure, numberOf, unitOf } from '../../figures/figure.js';
import { dayOf } from '../../figures/periods.js';
import type { Locale } from '../../locale/locale.js';
import type { Texts } from '../../locale/texts.service.js';
import type { Citations } from '../../sources/citations.js';
import type { ChangeRow, ChangeSubject } from './change.rows.js';
import type { Change } from './change.schema.js';

/** Maps a row to a change of the API; every list with changes uses it. */
export class ChangeView {
  constructor(
    private readonly urls: UrlBuilder,
    private readonly texts: Texts,
  ) {}

  show(row: ChangeRow, locale: Locale, cite: Citations): Change {
    if (row.status === 'withdrawn') throw new Error(`The change ${row.id} is withdrawn`);
    const total = row.figures?.previousValue == null ? 1 : 2;
    return {
      id: row.id,
      ...this.urls.links(locale, ['changes', row.id]),
      kind: row.kind,
      status: row.status,
      evidenceClass: row.evidenceClass,
      headline: row.headline,
      summary: row.summary,
      importance: row.importance,
      occurredAt: row.occurredPrecision === 'day' ? dayOf(row.occurredAt) : row.occurredAt.toISOString(),
      occurredBasis: row.occurredBasis,
      publishedAt: row.publishedAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      figure: this.figureOf(row, locale, cite),
      subject: this.subjectOf(row.subject, locale, cite),
      countries: [...row.regions],
      coverage: row.coverage.map(({ key, name }) => ({ key, name: name[locale] })),
      topics: row.topics.map(({ slug, name }) => ({ slug, name: name[locale] })),
      companies: row.companies.map(({ slug, name }) => ({ slug, name })),
      entities: row.entities.map(({ id, name }) => ({ id, name })),
      signals: row.signals.map(({ id, title }) => ({ id, title: title[locale] })),
      evidence: { total, publishers: 1, byLevel: { [row.level]: total } },
      sources: cite.sources([row.source, ...row.origins]),
    };
  }

  private subjectOf(subject: ChangeSubject, locale: Locale, cite: Citations): Change['subject'] {
    const { type } = subject;
    if (type === 'entity') return { type, key: subject.id, name: subject.name, region: null };
    if (type === 'instrument')
      return { type, key: cite.series(subject.key), name: subject.name[locale], region: null };
    const name = this.texts.say(locale, 'resources.series', {
      indicator: subject.shortName[locale],
      region: subject.regionName[locale],
    });
    return { type, key: `${cite.series(subject.indicator)}@${subject.region}`, name, region: subject.region };
  }

  private figureOf(
    { figures, subject, source, origins, knownSince }: ChangeRow,
    locale: Locale,
    cite: Citations,
  ): Change['figure'] {
    if (figures === null || subject.type === 'entity') return null;
    const { unit, currency, period, previousValue, previousMissing, previousPeriod, previousKnownSince } =
      figures;
    const series = { unit, currency, locale, source, origins };
    return {
      name: subject.name[locale],
      unit: unitOf(unit, locale, currency),
      period,
      previous: figure(cite, {
        ...series,
        value: previousValue,
        missing: previousMissing,
        period: previousPeriod,
        knownSince: previousKnownSince,
      }),
      actual: figure(cite, {
        ...series,
        value: figures.actualValue,
        missing: null,
        period,
        knownSince,
      }),
      delta: numberOf(figures.delta),
      deltaPercent: numberOf(figures.deltaPercent),
    };
  }
}
