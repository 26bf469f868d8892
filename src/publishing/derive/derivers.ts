import { deriveReleases } from './derive-releases.js';
import type { Deriver } from './deriver.js';

/** Every rule that makes changes. */
export const DERIVERS: readonly Deriver[] = [deriveReleases];
