import type { DataSource } from 'typeorm';
import { AccessError } from '../access/accounts/access-error.js';
import type { Access } from '../access/accounts/access.js';
import { Alerts, type NewAlert } from './alerts.js';
import { Follows } from './follows.js';
import type { TargetType } from './targets.js';

const FOLLOWED: readonly (readonly [TargetType, string])[] = [
  ['country', 'JP'],
  ['country', 'US'],
  ['topic', 'inflation'],
  ['coverage', 'prices'],
  ['instrument', 'eurusd'],
  ['series', 'gdp-growth@JP'],
];

// Names that read the same in all languages: an alert's name is its account's own text.
const WATCHED: readonly NewAlert[] = [
  { name: 'JP: GDP > 1%', type: 'series', key: 'gdp-growth@JP', metric: 'value_above', threshold: '1' },
  { name: 'JP', type: 'country', key: 'JP', metric: 'any_change' },
  { name: 'US: CPI > 3%', type: 'series', key: 'cpi-inflation@US', metric: 'value_above', threshold: '3' },
  { name: 'EUR/USD ± 1%', type: 'instrument', key: 'eurusd', metric: 'move_percent', threshold: '1' },
];

/**
 * The demo account's follows and alerts, as far as their targets exist. They date from `since`: publications after
 * that fire the alerts.
 */
export async function seedDemo(
  database: DataSource,
  access: Pick<Access, 'findAccount'>,
  email: string,
  since: Date,
): Promise<void> {
  const follows = new Follows(database, access, () => since);
  const alerts = new Alerts(database, access, () => since);
  for (const [type, key] of FOLLOWED) await whereItExists(follows.add(email, type, key));
  const names = (await alerts.list(email)).map(({ name }) => name);
  for (const alert of WATCHED) {
    if (alert.name !== undefined && !names.includes(alert.name)) await whereItExists(alerts.add(email, alert));
  }
}

async function whereItExists(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof AccessError)) throw error;
  });
}
