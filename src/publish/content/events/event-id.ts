import { createHash } from 'node:crypto';

export interface EventIdentity {
  readonly indicator: string;
  readonly region: string;
  readonly period: string;
  readonly estimate: number | null;
}

/** Stable across databases and reschedulings. */
export function eventId({ indicator, region, period, estimate }: EventIdentity): string {
  const hash = createHash('sha256').update([indicator, region, period, estimate ?? ''].join('|'));
  return `evt_${hash.digest('base64url').slice(0, 27)}`;
}
