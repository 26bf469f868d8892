import type { DataSource } from 'typeorm';

/** The service's paths: those of its specification, the lists of what exists, and computed series; besides there is MCP. */
export const PATHS = [
  '/api/v1/changes',
  '/api/v1/changes/{id}',
  '/api/v1/signals/{id}',
  '/api/v1/coverage',
  '/api/v1/coverage/{key}',
  '/api/v1/topics',
  '/api/v1/topics/{slug}',
  '/api/v1/companies',
  '/api/v1/companies/{slug}',
  '/api/v1/entities/{id}/structure',
  '/api/v1/ahead',
  '/api/v1/ahead/{id}',
  '/api/v1/markets',
  '/api/v1/markets/{key}',
  '/api/v1/markets/kind/{kind}',
  '/api/v1/macro',
  '/api/v1/macro/board',
  '/api/v1/macro/{indicator}',
  '/api/v1/briefs/latest',
  '/api/v1/briefs/{date}',
  '/api/v1/following',
  '/api/v1/following/changes',
  '/api/v1/alerts',
  '/api/v1/search',
  '/api/v1/series',
  '/api/v1/sources',
] as const;
export type Path = (typeof PATHS)[number];

/** What the routes require that have no answer without a query. */
export const REQUIRED: Readonly<Record<string, string>> = {
  '/api/v1/search': '?q=inflation',
  '/api/v1/series': '?series=eurusd',
};

/** The possible segments of a path in a database, as one column `at`. */
const SEGMENTS: Partial<Readonly<Record<Path, string>>> = {
  '/api/v1/changes/{id}': `SELECT id AS at FROM changes WHERE status <> 'withdrawn' ORDER BY position DESC`,
  '/api/v1/signals/{id}': 'SELECT id AS at FROM signals ORDER BY id',
  '/api/v1/coverage/{key}': 'SELECT key AS at FROM coverage_domains ORDER BY changes_total DESC',
  '/api/v1/topics/{slug}': 'SELECT slug AS at FROM topics ORDER BY changes_total DESC',
  '/api/v1/companies/{slug}': 'SELECT slug AS at FROM companies WHERE listed ORDER BY slug',
  '/api/v1/entities/{id}/structure': 'SELECT parent AS at FROM relations ORDER BY parent',
  '/api/v1/ahead/{id}': 'SELECT id AS at FROM calendar_events ORDER BY id',
  '/api/v1/markets/{key}':
    'SELECT i.key AS at FROM instruments i JOIN series s ON s.instrument = i.key ORDER BY i.ordinal',
  '/api/v1/markets/kind/{kind}': `SELECT unnest(ARRAY['fx','commodity','rate','index','equity']) AS at`,
  '/api/v1/macro/{indicator}': 'SELECT DISTINCT indicator AS at FROM series WHERE indicator IS NOT NULL',
  '/api/v1/briefs/{date}': 'SELECT day AS at FROM briefs ORDER BY day DESC',
};

/** By path: segments of existing items, at most `most`; none for a path without a segment. */
export async function segmentsIn(reader: DataSource, most: number): Promise<ReadonlyMap<string, string[]>> {
  const found = Object.entries(SEGMENTS).map(async ([path, sql]) => {
    const rows = await reader.query<{ at: string }[]>(`SELECT at FROM (${sql}) s LIMIT ${String(most)}`);
    return [path, rows.map(({ at }) => at)] as const;
  });
  return new Map(await Promise.all(found));
}

/** A documented path with this list's names of its segments. */
export function pathOf(documented: string): string {
  const bare = (path: string): string => path.replace(/\{\w+\}/g, '{}');
  return PATHS.find((path) => bare(path) === bare(documented)) ?? documented;
}

export const fill = (path: string, segment: string): string => path.replace(/\{\w+\}/, encodeURIComponent(segment));
