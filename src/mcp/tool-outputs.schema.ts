import { z } from 'zod';

// What a tool's answer is sure to hold, in few words: the full shapes stand in the API's own description.

export const figure = z.looseObject({ value: z.number().nullable(), period: z.string().nullable() });

export const ChangeItem = z.looseObject({
  id: z.string(),
  url: z.string(),
  headline: z.string(),
  occurredAt: z.string(),
  figure: z.looseObject({ actual: figure, previous: figure }).nullable(),
  sources: z.array(z.string()).describe('Ids in meta.sources'),
});
