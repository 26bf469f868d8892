import type { DataSource } from 'typeorm';

export interface ListedSource {
  readonly id: string;
  readonly name: string;
  readonly licence: string;
  readonly url: string;
  /** Series that it publishes. */
  readonly series: number;
  /** Day of the newest retrieval; null: nothing of it is stored. */
  readonly retrievedOn: string | null;
  readonly withheld: boolean;
}

const LIST = `
  SELECT s.id, s.name::jsonb ->> 'en' AS name, s.licence, s.url, count(x.id)::int AS series,
    s.retrieved_on AS "retrievedOn", s.withheld
  FROM sources s LEFT JOIN series x ON x.source_id = s.id GROUP BY s.id ORDER BY s.id`;

/** By id. */
export const listSources = (dataSource: DataSource): Promise<ListedSource[]> => dataSource.query<ListedSource[]>(LIST);
