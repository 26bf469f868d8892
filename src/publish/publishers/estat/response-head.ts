// The head of a response: table, day of update, and which part of the values it contains.
import { z } from 'zod';
import { isDay } from '../../../domain/figures/periods.js';
import type { StatedDay } from '../../batches/deliveries.js';
import { ImportError } from '../../batches/importer.js';
import { quoted } from '../../batches/text.js';
import type { ResponsePart } from './response-parts.js';
import { grouped } from '../../../domain/grouped.js';

const RESULT = z.object({ STATUS: z.coerce.number().int(), ERROR_MSG: z.string().nullish() });
const PARAMETER = z.object({ NARROWING_COND: z.unknown() });
const RANGE = z.object({
  TOTAL_NUMBER: z.coerce.number().int(),
  FROM_NUMBER: z.coerce.number().int().optional(),
  TO_NUMBER: z.coerce.number().int().optional(),
});
const TABLE = z.object({
  '@id': z.string(),
  COLLECT_AREA: z.string().optional(),
  OPEN_DATE: z.string().optional(),
  UPDATED_DATE: z.string().optional(),
});

export interface ResponseHead {
  readonly table: string;
  /**
   * The day of the table's figures: of its last update, which is a release only if the table was opened on that day.
   */
  readonly stated: StatedDay | null;
  readonly nationwide: boolean;
  /** From 1, both inclusive; `total` is the number of existing values. */
  readonly range: { readonly from: number; readonly to: number; readonly total: number };
  /** The request, which distinguishes its pages from those of other requests. */
  readonly request: string;
}

/** Collects the head from the parts before the first value. */
export class HeadReader {
  private readonly parts = new Map<string, unknown>();

  constructor(private readonly file: string) {}

  /** @throws ImportError with e-Stat's own message for a refusal */
  take({ key, value }: ResponsePart): void {
    this.parts.set(key, value);
    if (key !== 'RESULT') return;
    const result = RESULT.safeParse(value);
    if (!result.success) throw this.refusal();
    const { STATUS, ERROR_MSG } = result.data;
    if (STATUS !== 0) {
      throw new ImportError(`${this.file}: e-Stat responded with an error: ${ERROR_MSG ?? 'no message'} (${STATUS})`);
    }
  }

  /** @throws ImportError if a part of it is missing */
  get head(): ResponseHead {
    const [range, table] = [
      RANGE.safeParse(this.parts.get('RESULT_INF')),
      TABLE.safeParse(this.parts.get('TABLE_INF')),
    ];
    if (!this.parts.has('RESULT') || !range.success || !table.success) throw this.refusal();
    const { TOTAL_NUMBER: total, FROM_NUMBER: from = 1, TO_NUMBER: to = total } = range.data;
    const stated = this.statedDay(table.data);
    const parameters = PARAMETER.safeParse(this.parts.get('PARAMETER'));
    return {
      table: table.data['@id'],
      stated,
      nationwide: ['全国', undefined].includes(table.data.COLLECT_AREA),
      range: { from, to, total },
      request: JSON.stringify([table.data['@id'], total, parameters.data?.NARROWING_COND ?? null]),
    };
  }

  private statedDay({ OPEN_DATE, UPDATED_DATE }: z.infer<typeof TABLE>): StatedDay | null {
    for (const [name, day] of Object.entries({ OPEN_DATE, UPDATED_DATE })) {
      if (day !== undefined && !isDay(day)) {
        throw new ImportError(`${this.file}: "${name}" is ${quoted(day)}, expected a day such as 2026-07-01`);
      }
    }
    const day = UPDATED_DATE ?? OPEN_DATE;
    return day === undefined ? null : { day, basis: day === OPEN_DATE ? 'released' : 'updated' };
  }

  private refusal(): ImportError {
    return new ImportError(
      `${this.file} is not a response of e-Stat with values: expected getStatsData (version 3, JSON)`,
    );
  }
}

export interface HeldResponse {
  readonly file: string;
  readonly head: ResponseHead;
}

/** Refuses a paged response without all of its pages: the missing figures would look absent. */
export function requireCompleteResponses(held: readonly HeldResponse[]): void {
  for (const pages of grouped(held, ({ head }) => head.request).values()) {
    const { total } = pages[0].head.range;
    let next = 1;
    for (const { head } of pages.sort((a, b) => a.head.range.from - b.head.range.from)) {
      if (head.range.from <= next) next = Math.max(next, head.range.to + 1);
    }
    if (next <= total) {
      throw new ImportError(`${pages[0].file}: the values from ${next} on of ${total} are missing`);
    }
  }
}
