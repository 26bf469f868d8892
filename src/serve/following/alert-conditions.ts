import type { DataSource, EntityManager } from 'typeorm';
import { AccessError } from '../access/accounts/access-error.js';
import { comparedWith, holds, type Condition, type FigureAt } from '../../domain/figures/condition.js';
import { doubleCarries, parseDecimal } from '../../domain/figures/decimal.js';
import { unitNamed, type UnitCode } from '../../domain/figures/units.js';
import type { AlertMetric } from './alert-metrics.js';
import type { TargetKey } from './targets.js';

/** The newest period of a target and whether the condition holds there. Later periods are compared with it. */
export interface InitialEvaluation {
  readonly period: string | null;
  readonly met: boolean | null;
}

const NEWEST = `
  SELECT o.period, o.value FROM series s JOIN observations o ON o.series_id = s.id
  WHERE o.valid_to IS NULL AND
    CASE WHEN $1 = 'instrument' THEN s.instrument = $2 ELSE s.indicator || '@' || s.region = $2 END
  ORDER BY o.period DESC LIMIT 2`;

const UNIT = `
  SELECT i.unit FROM indicators i WHERE $1 = 'series' AND i.slug = split_part($2, '@', 1)
  UNION ALL SELECT n.unit FROM instruments n WHERE $1 = 'instrument' AND n.key = $2`;

/** `null` for `any_change`. @throws AccessError where the target cannot meet such a condition */
export async function readCondition(
  database: DataSource,
  target: TargetKey,
  metric: AlertMetric,
  text: string | undefined,
): Promise<Condition | null> {
  if (metric === 'any_change') {
    if (text !== undefined) {
      throw new AccessError('any_change takes no threshold', { code: 'threshold_unwanted' });
    }
    return null;
  }
  if (target.type !== 'instrument' && target.type !== 'series') {
    throw new AccessError(
      `${metric} needs one series of figures: an instrument, or an indicator in a region such as cpi-inflation@JP`,
      { code: 'metric_unfit' },
    );
  }
  const threshold = parseDecimal(text ?? '');
  if (threshold === null || !doubleCarries(threshold)) {
    throw new AccessError(`${metric} needs a threshold: a number such as 2.5`, { code: 'threshold_needed' });
  }
  if (metric === 'move_percent') await requireMovable(database, target, threshold);
  return { metric, threshold };
}

async function requireMovable(database: DataSource, { type, key }: TargetKey, threshold: string): Promise<void> {
  if (Number(threshold) <= 0) {
    throw new AccessError('move_percent needs a threshold above 0', { code: 'threshold_positive' });
  }
  const [row] = await database.query<{ unit: UnitCode }[]>(UNIT, [type, key]);
  if (row !== undefined && unitNamed(row.unit).dimension === 'ratio') {
    throw new AccessError(
      `${key} is in percent, and a percentage of a percentage misleads: use value_above or value_below`,
      { code: 'move_of_percent' },
    );
  }
}

/** The state an alert starts from: a condition that holds already does not fire. */
export async function initialEvaluationOf(
  manager: EntityManager,
  { type, key }: TargetKey,
  condition: Condition | null,
): Promise<InitialEvaluation> {
  if (condition === null) return { period: null, met: null };
  const [last, before] = await manager.query<FigureAt[]>(NEWEST, [type, key]);
  if (last === undefined) return { period: null, met: null };
  return { period: last.period, met: holds(condition, last.value, comparedWith(last, before)) };
}
