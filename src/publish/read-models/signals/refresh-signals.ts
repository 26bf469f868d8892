import type pg from 'pg';
import type { Publication } from '../../publication/record-publication.js';
import { findClusters } from './find-clusters.js';
import { Detections } from './detections.js';
import { findPersistentMoves } from './find-persistent-moves.js';
import { findStreaks } from './find-streaks.js';
import { findTurningPoints } from './find-turning-points.js';
import { findAffectedObservations } from './affected-observations.js';
import { ageSignals, createMovedSignals, storeDetections } from './store-signals.js';

const FINDERS = [findStreaks, findTurningPoints, findClusters, findPersistentMoves];

/**
 * Refreshes signals. Detectors evaluate only what the publication affected. Their results depend on nothing but
 * what is stored: the same figures and changes give the same signals, in whatever order they were imported.
 */
export async function refreshSignals(client: pg.PoolClient, publication: Publication): Promise<number> {
  await createMovedSignals(client);
  let moved = 0;
  if (await findAffectedObservations(client)) {
    const detections = await Detections.open(client);
    for (const find of FINDERS) await find(client, detections);
    await detections.send();
    moved = await storeDetections(client, publication.dataVersion);
  }
  return moved + (await ageSignals(client, publication.dataVersion));
}
