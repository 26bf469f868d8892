import { z } from 'zod';

const count = z
  .string()
  .regex(/^[1-9]\d{0,6}$/, 'must be a whole number, 1 to 9999999')
  .transform(Number);

/** The variables of public pages, as part of the environment's schema. */
export const pageVariables = {
  PUBLIC_PAGES: z.enum(['on', 'off'], { error: 'must be one of on, off' }).default('on'),
  PAGES_PER_MINUTE: count.default(60),
  PAGES_PER_DAY: count.default(2_000),
};

export interface PageSettings {
  /** Whether changes, signals, briefs, series, markets and the calendar have public pages. */
  readonly publicPages: boolean;
  /** Pages with figures that one address may open, over all instances. */
  readonly pageLimits: { readonly perMinute: number; readonly perDay: number };
}

export function readPages(env: z.infer<z.ZodObject<typeof pageVariables>>): PageSettings {
  const pageLimits = Object.freeze({ perMinute: env.PAGES_PER_MINUTE, perDay: env.PAGES_PER_DAY });
  return { publicPages: env.PUBLIC_PAGES === 'on', pageLimits };
}
