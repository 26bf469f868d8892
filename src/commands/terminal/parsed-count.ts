import { UsageError } from '../context/command-context.js';

/** @throws UsageError unless the value of the option is a whole number within the bounds */
export function parsedCount(option: string, text: string, [least, most]: readonly [number, number]): number {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= least && count <= most) return count;
  throw new UsageError(`${option}: a whole number from ${least} to ${most}`);
}
