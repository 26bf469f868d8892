// The targets that an account can follow or set alerts on, and how to look each up.

export const TARGET_TYPES = [
  'topic',
  'coverage',
  'country',
  'company',
  'entity',
  'instrument',
  'indicator',
  'series',
] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

/** `key` as the target's own resource writes it; for a series `indicator@region`, as in the `subject` of a change. */
export interface TargetKey {
  readonly type: TargetType;
  readonly key: string;
}

/** As an operator writes it: a region in any case, and a series also by its indicator alone. */
export function readTarget(type: TargetType, text: string): TargetKey {
  const key = text.trim();
  const [indicator = '', region] = key.split('@');
  if (region !== undefined && (type === 'indicator' || type === 'series')) {
    return { type: 'series', key: `${indicator.toLowerCase()}@${region.toUpperCase()}` };
  }
  return { type, key: type === 'country' ? key.toUpperCase() : type === 'entity' ? key : key.toLowerCase() };
}

/**
 * Rows (name, region): the target's name, localized or as registered; no row if it does not exist or is withheld. Types
 * and keys are SQL expressions.
 */
export const named = (type: string, key: string): string =>
  Object.entries(NAMES)
    .map(([one, select]) => `(SELECT ${select(key)} AND ${type} = '${one}')`)
    .join(' UNION ALL ');

// Instruments and series with at least one figure that the current role may read.
const NAMES: Readonly<Record<TargetType, (key: string) => string>> = {
  topic: (key) => `x.name::jsonb AS name, NULL::jsonb AS region FROM topics x WHERE x.slug = ${key}`,
  coverage: (key) => `x.name::jsonb, NULL::jsonb FROM coverage_domains x WHERE x.key = ${key}`,
  country: (key) => `x.name::jsonb, NULL::jsonb FROM regions x WHERE x.code = ${key}`,
  company: (key) => `to_jsonb(e.name), NULL::jsonb FROM companies x
    JOIN entities e ON e.id = x.entity_id WHERE x.slug = ${key}`,
  entity: (key) => `to_jsonb(x.name), NULL::jsonb FROM entities x WHERE x.id = ${key}`,
  instrument: (key) => `x.name::jsonb, NULL::jsonb FROM instruments x
    JOIN series s ON s.instrument = x.key WHERE x.key = ${key}`,
  indicator: (key) => `x.short_name::jsonb, NULL::jsonb FROM indicators x
    JOIN sources p ON p.id = x.source_id WHERE x.slug = ${key}`,
  series: (key) => `x.short_name::jsonb, r.name::jsonb FROM series s
    JOIN indicators x ON x.slug = s.indicator JOIN regions r ON r.code = s.region
    WHERE s.indicator = split_part(${key}, '@', 1) AND s.region = split_part(${key}, '@', 2)`,
};
