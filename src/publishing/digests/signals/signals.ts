import type pg from 'pg';
import type { RecordedRevision } from '../../revisions/record-revision.js';
import { findClusters } from './find-clusters.js';
import { Findings } from './findings.js';
import { findPersistentMoves } from './find-persistent-moves.js';
import { findStreaks } from './find-streaks.js';
import { findTurns } from './find-turns.js';
import { findStirred } from './stirred.js';
import { ageSignals, keepFound } from './store-signals.js';

const FINDERS = [findStreaks, findTurns, findClusters, findPersistentMoves];

/**
 * Brings the signals in line with the changes and figures that stand. Rules are asked again only about what the
 * publication has moved, and what they find depends on nothing but what is stored: the same figures and changes
 * give the same signals, whatever the order in which they came.
 */
export async function digestSignals(client: pg.PoolClient, revision: RecordedRevision): Promise<number> {
  let moved = 0;
  if (await findStirred(client)) {
    const findings = await Findings.open(client);
    for (const find of FINDERS) await find(client, findings);
    await findings.send();
    moved = await keepFound(client, revision.id);
  }
  return moved + (await ageSignals(client, revision.id));
}
