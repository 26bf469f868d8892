import { deriveDecisions } from './decisions/derive-decisions.js';
import { deriveMoves } from './moves/derive-moves.js';
import { deriveReleases } from './derive-releases.js';
import type { Deriver } from './derived-changes.js';
import { deriveStructures } from './structures/derive-structures.js';

/** All rules that derive changes. */
export const DERIVERS: readonly Deriver[] = [deriveReleases, deriveMoves, deriveDecisions, deriveStructures];
