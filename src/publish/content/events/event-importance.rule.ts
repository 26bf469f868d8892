import type { IndicatorEntry, RegionEntry } from '../../catalogue/catalogue.schema.js';

const EVENT_IMPORTANCES = ['low', 'medium', 'high'] as const;
export type EventImportance = (typeof EVENT_IMPORTANCES)[number];

/** Topics that matter to readers of any economy. */
const HEADLINE_TOPICS = ['monetary-policy', 'inflation', 'gdp', 'unemployment'];
/** Economies of at least this weight move others. */
const LARGE = 33;

/**
 * Adds one step for a headline topic and one for a large economy; subtracts one for a later print of a published
 * period.
 */
export function eventImportance(
  { topics }: Pick<IndicatorEntry, 'topics'>,
  { weight }: Pick<RegionEntry, 'weight'>,
  estimate: number | null,
): EventImportance {
  const headline = topics.some((topic) => HEADLINE_TOPICS.includes(topic));
  const step = Number(headline) + Number(weight >= LARGE) - Number(estimate !== null && estimate > 1);
  return EVENT_IMPORTANCES[Math.max(step, 0)] ?? 'high';
}
