import type { Change } from '../../serve/resources/changes/change.schema.js';

const SHOWN = 8;
const MOST_OF_ONE = 2;

/**
 * The first changes of a list, of which few are of one indicator or instrument.
 * @param besides what another list of the page shows already
 */
export function chosenChanges<One extends Pick<Change, 'id' | 'subject'>>(
  changes: readonly One[],
  besides: readonly One[] = [],
): One[] {
  const counts = new Map<string, number>();
  const few = changes.filter(({ id, subject }) => {
    if (besides.some((one) => one.id === id)) return false;
    const key = subject.key.split('@')[0] ?? id;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return (counts.get(key) ?? 0) <= MOST_OF_ONE;
  });
  return few.slice(0, SHOWN);
}

/** The newest day first: what was published here last may have occurred long ago. */
export const byDay = <One extends Pick<Change, 'occurredAt'>>(changes: readonly One[]): One[] =>
  changes.toSorted((one, other) => other.occurredAt.localeCompare(one.occurredAt));
