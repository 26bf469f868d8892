import type { Read } from '../../../store/snapshots.js';
import { DOWNWARD, ULTIMATE_PARENTS, UPWARD, type FoundRow, type NodeRow } from './structure.rows.js';

export const MOST_NODES = 500;

export interface Placed {
  readonly node: NodeRow;
  readonly level: number;
}

export interface Walk {
  /** Each entity once, at the level where the walk first met it: ancestors before descendants. */
  readonly placed: readonly Placed[];
  readonly leftOut: number;
  /** Whether direct relations continue beyond the last level. */
  readonly more: boolean;
}

/** Walks level by level, so that a cycle ends and a shared child appears once. */
export async function walk(read: Read, root: NodeRow, depth: number): Promise<Walk> {
  const placed = new Map<string, Placed>([[root.id, { node: root, level: 0 }]]);
  let leftOut = 0;
  let more = false;
  for (const [direction, sql] of [[-1, UPWARD] as const, [1, DOWNWARD] as const]) {
    let frontier: readonly string[] = [root.id];
    for (let step = 1; step <= depth && frontier.length > 0; step++) {
      const room = MOST_NODES - placed.size;
      const found = await read<FoundRow>(sql, [frontier, [...placed.keys()], Math.max(room, 1)]);
      const taken = found.slice(0, room);
      for (const node of taken) placed.set(node.id, { node, level: direction * step });
      const missed = (found[0]?.total ?? 0) - taken.length;
      leftOut += missed;
      frontier = missed > 0 ? [] : taken.map(({ id }) => id);
    }
    const next = frontier.length === 0 ? [] : await read<FoundRow>(sql, [frontier, [...placed.keys()], 1]);
    more ||= next.length > 0;
    if (direction < 0) await addUltimateParents(read, root.id, placed);
  }
  return { placed: [...placed.values()], leftOut, more: more || leftOut > 0 };
}

/** Only direct relations count for depth: an ultimate parent appears however far away it is. */
async function addUltimateParents(read: Read, root: string, placed: Map<string, Placed>): Promise<void> {
  const highest = Math.min(...[...placed.values()].map(({ level }) => level));
  for (const node of await read<NodeRow>(ULTIMATE_PARENTS, [root])) {
    if (!placed.has(node.id) && placed.size < MOST_NODES) placed.set(node.id, { node, level: highest - 1 });
  }
}
