// Maps rows to the API's shapes, by hand and in English only.
import { periodsBetween } from '../dist/figures/periods.js';
import { UNITS } from '../dist/figures/units.js';
import { LICENCES } from '../dist/sources/licences.js';

export function showSource(row) {
  const { name, url } = LICENCES[row.licence];
  return {
    id: row.id,
    name: row.name.en,
    publisher: row.publisher.en,
    url: row.url,
    level: row.level,
    licence: { id: row.licence, name, url },
    attribution: row.attribution.en,
    notice: row.notice?.en ?? null,
    retrievedAt: row.retrievedOn,
  };
}

export function showChange(row, baseUrl, cited) {
  cited.add(row.source);
  for (const origin of row.origins) cited.add(origin);
  const total = row.previousValue === null ? 1 : 2;
  return {
    id: row.id,
    url: `${baseUrl}/api/v1/changes/${row.id}`,
    kind: row.kind,
    status: row.status,
    evidenceClass: row.evidenceClass,
    headline: row.headline,
    summary: row.summary,
    importance: row.importance,
    occurredAt:
      row.occurredPrecision === 'day'
        ? row.occurredAt.toISOString().slice(0, 10)
        : row.occurredAt.toISOString(),
    occurredBasis: row.occurredBasis,
    publishedAt: row.publishedAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    figure: {
      name: row.indicatorName.en,
      unit: showUnit(row.unit),
      period: row.period,
      previous: showFigure(
        row,
        row.previousValue,
        row.previousPeriod,
        row.previousKnownSince,
        row.previousMissing,
      ),
      actual: showFigure(row, row.actualValue, row.period, row.vintageDay, null),
      delta: row.delta === null ? null : Number(row.delta),
      deltaPercent: row.deltaPercent === null ? null : Number(row.deltaPercent),
    },
    subject: {
      type: 'series',
      key: `${row.indicator}@${row.region}`,
      name: `${row.shortName.en}, ${row.regionName.en}`,
      region: row.region,
    },
    countries: row.regions,
    coverage: row.coverage.map(({ key, name }) => ({ key, name: name.en })),
    topics: row.topics.map(({ slug, name }) => ({ slug, name: name.en })),
    companies: [],
    entities: [],
    signals: [],
    evidence: { total, publishers: 1, byLevel: { [row.level]: total } },
    sources: [row.source, ...row.origins],
  };
}

export function showSeries(indicator, rows, cited) {
  const [first] = rows;
  const last = rows.at(-1);
  cited.add(first.source);
  for (const origin of first.origins) cited.add(origin);
  const byPeriod = new Map(rows.map((row) => [row.period, row]));
  return {
    indicator: {
      slug: indicator.slug,
      name: indicator.name.en,
      description: indicator.description.en,
      unit: showUnit(indicator.unit),
      frequency: indicator.frequency,
      seasonalAdjustment: indicator.seasonalAdjustment,
      priceBasis: indicator.priceBasis,
      baseYear: indicator.baseYear,
      providerCode: indicator.providerCode,
    },
    series: [
      {
        region: { code: first.region, name: first.regionName.en },
        observations: periodsBetween(first.period, last.period).map((period) => {
          const row = byPeriod.get(period);
          const missing = row === undefined ? 'not_published' : row.withdrawn ? 'withdrawn_by_source' : null;
          const series = { unit: indicator.unit, source: first.source, origins: first.origins };
          return missing === null
            ? showFigure(series, row.value, period, row.knownSince, null)
            : showFigure(series, null, period, null, missing);
        }),
        source: first.source,
      },
    ],
  };
}

function showFigure({ unit, source, origins }, value, period, knownSince, missing) {
  return {
    value: value === null ? null : Number(value),
    decimals: value === null ? null : decimalsOf(value),
    unit,
    period,
    source,
    origins,
    knownSince,
    releasedAt: null,
    missing,
  };
}

function decimalsOf(value) {
  const point = value.indexOf('.');
  return point < 0 ? 0 : value.length - point - 1;
}

function showUnit(code) {
  const { dimension, currency, scale, per, label } = UNITS[code];
  return { code, dimension, currency, scale, per, label: label.en };
}
