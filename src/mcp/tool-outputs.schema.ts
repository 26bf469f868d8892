import { z } from 'zod';

// The guaranteed members of tool results, in short; the OpenAPI document has the full shapes.

export const FigureSummary = z.looseObject({ value: z.number().nullable(), period: z.string().nullable() });

export const ChangeItem = z.looseObject({
  id: z.string(),
  url: z.string(),
  page: z.string().optional(),
  headline: z.string(),
  occurredAt: z.string(),
  figure: z.looseObject({ actual: FigureSummary, previous: FigureSummary }).nullable(),
  sources: z.array(z.string()).describe('Ids in meta.sources'),
});
