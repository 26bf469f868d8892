import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { IS_EXHAUSTIVE } from './exhaustive.js';
import { describeIf } from './needs.js';

const FOLDER = join(__dirname, '../../../shared/data');
const IS_THERE = existsSync(FOLDER);
const MISSING = 'no ../shared/data beside the repository';

/** A path in the folder of publishers' own files, beside the repository if it exists. */
export const sharedData = (...parts: readonly string[]): string => join(FOLDER, ...parts);

export const describeWithSharedData = describeIf(IS_THERE, MISSING);

/** For what takes minutes: the import of whole files, of which test/fixtures has a slice. */
export const describeWithAllSharedData = describeIf(
  IS_THERE && IS_EXHAUSTIVE,
  IS_THERE ? 'only in npm run test:exhaustive' : MISSING,
);
