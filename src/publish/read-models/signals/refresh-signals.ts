import type pg from 'pg';
import type { Publication } from '../../publication/record-publication.js';
import { clusters } from './find-clusters.js';
import { Detections } from './detections.js';
import { persistentMoves } from './find-persistent-moves.js';
import { streaks } from './find-streaks.js';
import { turningPoints } from './find-turning-points.js';
import type { Detector, SignalRule } from './signal.js';
import { findAffectedObservations } from './affected-observations.js';
import { ageSignals, createMovedSignals, storeDetections } from './store-signals.js';

const DETECTORS: readonly (readonly [SignalRule, Detector])[] = [
  ['streak', streaks],
  ['turn', turningPoints],
  ['revision_cluster', clusters],
  ['persistent_move', persistentMoves],
];

/**
 * Refreshes signals. Detectors evaluate only what the publication affected. Their results depend on nothing but
 * what is stored: the same figures and changes give the same signals, in whatever order they were imported.
 */
export async function refreshSignals(client: pg.PoolClient, publication: Publication): Promise<number> {
  await createMovedSignals(client);
  let moved = 0;
  if (await findAffectedObservations(client)) {
    const detections = await Detections.open(client);
    for (const [rule, detect] of DETECTORS) {
      for await (const evaluation of detect(client)) await detections.add(rule, evaluation);
    }
    moved = await storeDetections(client, publication.dataVersion);
  }
  return moved + (await ageSignals(client, publication.dataVersion));
}
