import { parseDecimal } from './decimal.js';
import type { UnitDefinition } from './units.js';

/** Converts a printed value to the unit of sentences: 29374.914 billion dollars to 29374914000000 dollars. */
export function inWholeUnits(value: string, { scale }: Pick<UnitDefinition, 'scale'>): string {
  const whole = scale === 0 ? value : parseDecimal(`${value}E${scale}`);
  if (whole === null) throw new RangeError(`"${value}" is not a plain decimal number`);
  return whole;
}
