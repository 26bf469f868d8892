import type { DataSource } from 'typeorm';
import type { Statement } from '../../src/database/snapshots.js';

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly Node[];
}

/** The execution of a statement: the indexes it used, the tables it scanned, and the number of pages. */
export interface Plan {
  readonly indexes: readonly string[];
  readonly scanned: readonly string[];
  readonly blocks: number;
}

export async function planOf(source: DataSource, { sql, parameters }: Statement): Promise<Plan> {
  const [row] = await source.query<{ 'QUERY PLAN': [{ Plan: Node }] }[]>(
    `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${sql}`,
    [...parameters],
  );
  const root = row?.['QUERY PLAN'][0].Plan;
  if (root === undefined) throw new Error('The server gives no plan');
  const nodes = nodesOf(root);
  return {
    indexes: [...new Set(nodes.flatMap((node) => node['Index Name'] ?? []))].sort(),
    scanned: nodes
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .flatMap((node) => node['Relation Name'] ?? []),
    blocks: (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0),
  };
}

/** The plan as text, without parts that vary between runs. */
export async function planText(source: DataSource, { sql, parameters }: Statement): Promise<string> {
  const rows = await source.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN (COSTS OFF) ${sql}`, [...parameters]);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
