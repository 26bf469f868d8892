// Apart from the conditions, so that the help of a command loads no table of units.
import { VALUE_METRICS } from '../../domain/figures/condition.js';

export const ALERT_METRICS = ['any_change', ...VALUE_METRICS] as const;
export type AlertMetric = (typeof ALERT_METRICS)[number];
