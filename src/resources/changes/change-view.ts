import type { Addresses } from '../../answers/addresses.service.js';
import { figure, numberOf, unitOf } from '../../figures/figure.js';
import type { Locale } from '../../locale/locale.js';
import type { Texts } from '../../locale/texts.service.js';
import type { Citations } from '../../sources/citations.js';
import type { ChangeRow } from './change-rows.js';
import type { Change } from './change.schema.js';

/** Makes of a row what a reader gets; used by every list that holds changes. */
export class ChangeView {
  constructor(
    private readonly addresses: Addresses,
    private readonly texts: Texts,
  ) {}

  show(row: ChangeRow, locale: Locale, cite: Citations): Change {
    if (row.status === 'withdrawn') throw new Error(`The change ${row.id} is withdrawn`);
    const total = row.previousValue === null ? 1 : 2;
    return {
      id: row.id,
      url: this.addresses.of('changes', row.id),
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
      subject: {
        type: 'series',
        key: `${row.indicator}@${row.region}`,
        name: this.texts.say(locale, 'resources.series', {
          indicator: row.shortName[locale],
          region: row.regionName[locale],
        }),
        region: row.region,
      },
      countries: [...row.countries],
      coverage: row.coverage.map(({ key, name }) => ({ key, name: name[locale] })),
      topics: row.topics.map(({ slug, name }) => ({ slug, name: name[locale] })),
      companies: [],
      entities: [],
      signals: [],
      evidence: { total, publishers: 1, byLevel: { [row.level]: total } },
      sources: cite.sources([row.source, ...row.origins]),
    };
  }

  private figureOf(row: ChangeRow, locale: Locale, cite: Citations): Change['figure'] {
    const series = { unit: row.unit, source: row.source, origins: row.origins };
    return {
      name: row.indicatorName[locale],
      unit: unitOf(row.unit, locale),
      period: row.period,
      previous: figure(cite, {
        ...series,
        value: row.previousValue,
        missing: row.previousMissing,
        period: row.previousPeriod,
        knownSince: row.previousKnownSince,
      }),
      actual: figure(cite, {
        ...series,
        value: row.actualValue,
        missing: null,
        period: row.period,
        knownSince: row.vintageDay,
      }),
      delta: numberOf(row.delta),
      deltaPercent: numberOf(row.deltaPercent),
    };
  }
}

export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
