import { existsSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../../shared/data');

/** A path in the folder of publishers' own files, which lies beside the repository where it is present. */
export const sharedData = (...parts: readonly string[]): string => join(FOLDER, ...parts);

/** Like `describe`; where the publishers' files are missing, the suite is reported as skipped, with the reason. */
export function describeWithSharedData(title: string, define: () => void): void {
  if (existsSync(FOLDER)) describe(title, define);
  else describe.skip(`${title} [skipped: no ../shared/data beside the repository]`, define);
}
