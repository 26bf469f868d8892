import { join } from 'node:path';

/** A path in the small market fixtures: a few months of each publisher, all of them in the template `full`. */
export const marketFixture = (...parts: readonly string[]): string => join(__dirname, '../fixtures/markets', ...parts);
