// The orders of a list of changes: how to read a page after a place, and the place of a change as the text of a cursor.
import { readStatement, type Read } from '../../../store/snapshots.js';
import type { Total } from '../../responses/result.js';
import { changesStatement, type ChangeFilter, type ChangeRow, type PageRow } from './change.rows.js';
import type { CHANGE_ORDERS } from './change.schema.js';
import { countedStatement, MOST_COUNTED, rankedStatement, type CountedRow } from './important-changes.rows.js';

export type ChangeOrder = (typeof CHANGE_ORDERS)[number];

interface RequestedPage {
  readonly filter: ChangeFilter;
  /** The place of the last change of the previous page. */
  readonly after: string | undefined;
  readonly limit: number;
}

interface OrderedPages {
  readonly page: (
    read: Read,
    requested: RequestedPage,
  ) => Promise<{ readonly rows: readonly PageRow[]; readonly total?: Total }>;
  readonly placeOf: (row: ChangeRow) => string;
}

export const ORDERS: Readonly<Record<ChangeOrder, OrderedPages>> = {
  newest: {
    page: async (read, { filter, after, limit }) => {
      const below = after === undefined ? undefined : Number.parseInt(after, 36);
      return { rows: await readStatement<PageRow>(read, changesStatement({ ...filter, below }, limit)) };
    },
    placeOf: ({ position }) => position.toString(36),
  },
  importance: {
    page: async (read, { filter, after, limit }) => {
      const place = after?.split('.').map((part) => Number.parseInt(part, 36));
      const rank = place && { ranking: place[0] ?? 0, position: place[1] ?? 0 };
      const requested = { filter, after: rank, limit };
      const counted = countedStatement(requested);
      const rows = await read<CountedRow>(counted.sql, counted.parameters);
      const count = rows[0]?.matches ?? 0;
      if (count <= MOST_COUNTED) return { rows, total: { count, exact: true } };
      const ranked = rankedStatement(requested);
      return { rows: await read<PageRow>(ranked.sql, ranked.parameters), total: { count: MOST_COUNTED, exact: false } };
    },
    placeOf: ({ ranking, position }) => `${ranking.toString(36)}.${position.toString(36)}`,
  },
};
