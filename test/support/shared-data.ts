import { existsSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../../shared/data');

/** A path in the folder of publishers' own files, beside the repository if it exists. */
export const sharedData = (...parts: readonly string[]): string => join(FOLDER, ...parts);

/** Like `describe`; without the publishers' files the run reports the suite as skipped, with the reason. */
export function describeWithSharedData(title: string, define: () => void): void {
  if (existsSync(FOLDER)) describe(title, define);
  else describe.skip(`${title} [skipped: no ../shared/data beside the repository]`, define);
}
