// Maps rows to the API's shapes, by hand and in English only.
import { figureText } from '../dist/figures/figure-text.js';
import { periodsBetween } from '../dist/figures/periods.js';
import { UNITS } from '../dist/figures/units.js';
import { attributionsOf } from '../dist/sources/attributions.js';

/** A source with all of its series; a response keeps those that it cites. */
export function showSource(row) {
  const citedSeries = new Set(row.series.map(({ key }) => key));
  const [source] = attributionsOf(new Map([[row.id, row]]), { cited: [row.id], citedSeries }, 'en');
  return source;
}

/** @param cited the ids of sources, and the keys of series */
export function showChange(row, baseUrl, cited) {
  const { figures, subject } = row;
  const { unit, currency } = figures;
  const series = { unit, currency, source: row.source, origins: row.origins };
  for (const id of [row.source, ...row.origins]) cited.ids.add(id);
  cited.series.add(subject.indicator);
  const total = figures.previousValue === null ? 1 : 2;
  return {
    id: row.id,
    url: `${baseUrl}/api/v1/changes/${row.id}`,
    page: `${baseUrl}/changes/${row.id}?locale=en`,
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
      name: subject.name.en,
      unit: showUnit(unit),
      period: figures.period,
      previous: showFigure(
        series,
        figures.previousValue,
        figures.previousPeriod,
        figures.previousKnownSince,
        figures.previousMissing,
      ),
      actual: showFigure(
        series,
        figures.actualValue,
        figures.period,
        row.occurredBasis === 'observed' ? null : row.vintageDay,
        null,
      ),
      delta: figures.delta === null ? null : Number(figures.delta),
      deltaPercent: figures.deltaPercent === null ? null : Number(figures.deltaPercent),
    },
    subject: {
      type: 'series',
      key: `${subject.indicator}@${subject.region}`,
      name: `${subject.shortName.en}, ${subject.regionName.en}`,
      region: subject.region,
    },
    countries: row.regions,
    coverage: row.coverage.map(({ key, name }) => ({ key, name: name.en })),
    topics: row.topics.map(({ slug, name }) => ({ slug, name: name.en })),
    companies: [],
    entities: [],
    signals: row.signals.map(({ id, title }) => ({ id, title: title.en })),
    evidence: { total, publishers: 1, byLevel: { [row.level]: total } },
    sources: [row.source, ...row.origins],
  };
}

export function showSeries(indicator, rows, baseUrl, cited) {
  const [first] = rows;
  const last = rows.at(-1);
  for (const id of [first.source, ...first.origins]) cited.ids.add(id);
  cited.series.add(indicator.slug);
  const page = `/macro/${indicator.slug}`;
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
        url: `${baseUrl}/api/v1${page}?region=${first.region}`,
        page: `${baseUrl}${page}/${first.region}?locale=en`,
        region: { code: first.region, name: first.regionName.en },
        currency: UNITS[indicator.unit].dimension === 'exchange_rate' ? first.currency : null,
        observations: periodsBetween(first.period, last.period).map((period) => {
          const row = byPeriod.get(period);
          const missing = row === undefined ? 'not_published' : row.withdrawn ? 'withdrawn_by_source' : null;
          const { currency, source, origins } = first;
          const series = { unit: indicator.unit, currency, source, origins };
          return missing === null
            ? showFigure(series, row.value, period, row.knownSince, null)
            : showFigure(series, null, period, null, missing);
        }),
        source: first.source,
      },
    ],
  };
}

function showFigure({ unit, currency, source, origins }, value, period, knownSince, missing) {
  return {
    value: value === null ? null : Number(value),
    decimals: value === null ? null : decimalsOf(value),
    unit,
    text: value === null ? null : figureText('en', { unit, currency }, value),
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
  return { code, dimension, currency, scale, per, label: label.en[0].toUpperCase() + label.en.slice(1) };
}
