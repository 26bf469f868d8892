import type { IndicatorEntry, RegionEntry } from '../../catalogue/catalogue.schema.js';

const EVENT_IMPORTANCES = ['low', 'medium', 'high'] as const;
export type EventImportance = (typeof EVENT_IMPORTANCES)[number];

/** Topics that matter to readers of any economy. */
const HEADLINE_TOPICS = ['monetary-policy', 'inflation', 'gdp', 'unemployment'];
/** Economies of at least this weight move others. */
const LARGE = 33;

/**
 * One step each for a headline topic and for a large economy; a later print of a period already published stands
 * one step lower.
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
