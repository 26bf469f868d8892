import { createHash } from 'node:crypto';

export interface ChangeIdentity {
  readonly kind: string;
  readonly indicator: string;
  readonly region: string;
  readonly period: string;
  /** `YYYY-MM-DD`. */
  readonly vintageDay: string;
}

/** Stable across databases: independent of values and of the order of imports. */
export function changeId({ kind, indicator, region, period, vintageDay }: ChangeIdentity): string {
  const hash = createHash('sha256').update([kind, indicator, region, period, vintageDay].join('|'));
  return `chg_${hash.digest('base64url').slice(0, 27)}`;
}
