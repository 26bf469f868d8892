import type { AlertSubject } from '../../domain/figures/alert-text.js';
import { unitOf } from '../../domain/figures/figure.js';
import { unitNamed } from '../../domain/figures/units.js';
import { ALERT_METRICS, type AlertMetric } from '../../serve/following/alert-metrics.js';
import type { Locale } from '../../domain/locale/locale.js';
import type { Texts } from '../../domain/locale/texts.service.js';

export interface StatedCondition {
  readonly metric: AlertMetric;
  readonly threshold: string | number | null;
}

/** The unit of a target's values by its name. */
export const unitLabel = ({ unit, currency }: AlertSubject, locale: Locale): string =>
  unitOf(unit, locale, currency).label;

/** A condition as people read it, with its unit as long as the target has values. */
export function conditionWords(
  texts: Texts,
  locale: Locale,
  { metric, threshold }: StatedCondition,
  subject: AlertSubject | undefined,
): string {
  const named = metric !== 'move_percent' && subject !== undefined;
  const unit = named ? texts.say(locale, 'account.unit', { unit: unitLabel(subject, locale) }) : '';
  return texts.say(locale, `account.conditions.${metric}`, { threshold: `${threshold ?? ''}${unit}` });
}

/** A percentage of a percentage misleads, and only figures have a value. */
export function metricsOf(subject: AlertSubject | null): readonly AlertMetric[] {
  if (subject === null) return ['any_change'];
  const isRatio = unitNamed(subject.unit).dimension === 'ratio';
  return ALERT_METRICS.filter((metric) => metric !== 'move_percent' || !isRatio);
}
