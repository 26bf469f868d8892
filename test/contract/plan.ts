import { join } from 'node:path';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { poolOf, type Statement } from '../../src/store/snapshots.js';

export const PLANS = join(__dirname, 'plans');

/** The title in lower case: `a-page-of-all-changes.txt`. */
export const planFile = ({ title }: { readonly title: string }): string =>
  join(
    PLANS,
    `${title
      .toLowerCase()
      .replaceAll("'", '')
      .replaceAll(/[^a-z0-9]+/g, '-')}.txt`,
  );

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly Node[];
}

/** The execution of a statement: the indexes it used, the tables it scanned, and the number of rows and pages it read. */
export interface Plan {
  readonly indexes: readonly string[];
  readonly scanned: readonly string[];
  /** The most rows that one search of an index read for nothing. */
  readonly discarded: number;
  readonly blocks: number;
}

export async function planOf(source: DataSource, statement: Statement): Promise<Plan> {
  const how = 'ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON';
  const [row] = await explain(source, how, statement);
  if (row === undefined) throw new Error('The server gives no plan');
  const [{ Plan: root }] = row['QUERY PLAN'] as [{ Plan: Node }];
  const nodes = nodesOf(root);
  return {
    indexes: [...new Set(nodes.flatMap((node) => node['Index Name'] ?? []))].sort(),
    scanned: nodes.filter((node) => node['Node Type'] === 'Seq Scan').flatMap((node) => node['Relation Name'] ?? []),
    discarded: Math.max(0, ...nodes.filter((node) => 'Index Name' in node).map(discardedBy)),
    blocks: (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0),
  };
}

/** The plan as text, without parts that vary between runs. */
export async function planText(source: DataSource, statement: Statement): Promise<string> {
  const rows = await explain(source, 'COSTS OFF', statement);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

/** The plan for all values, which the server takes after five requests where it costs no more than one for the values. */
async function explain(source: DataSource, how: string, { sql, parameters }: Statement) {
  const client = await poolOf(source).connect();
  try {
    await client.query(`SET plan_cache_mode = force_generic_plan; SET tidemark.account = 'acc_7'`);
    await client.query(`PREPARE hot AS ${sql}`);
    const values = parameters.length === 0 ? '' : ` (${parameters.map(literal).join(', ')})`;
    const { rows } = await client.query<{ 'QUERY PLAN': unknown }>(`EXPLAIN (${how}) EXECUTE hot${values}`);
    return rows;
  } finally {
    await client.query('DEALLOCATE ALL; RESET plan_cache_mode; RESET tidemark.account');
    client.release();
  }
}

/** The server takes the type of a quoted literal from the statement. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (Buffer.isBuffer(value)) return pg.escapeLiteral(`\\x${value.toString('hex')}`);
  if (Array.isArray(value)) {
    const members = value.map((one: unknown) => (Buffer.isBuffer(one) ? `\\x${one.toString('hex')}` : one));
    return pg.escapeLiteral(`{${members.map((one) => JSON.stringify(one)).join(',')}}`);
  }
  return pg.escapeLiteral(`${value as string | number}`);
}

const discardedBy = (node: Node): number => (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1);

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
