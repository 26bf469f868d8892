import { z } from 'zod';

/** Beside a name: what identifies the thing in a path or a filter. */
const reference = <Key extends string>(id: string, key: Key, described: string) =>
  z
    .object({ [key]: z.string(), name: z.string() } as Record<Key | 'name', z.ZodString>)
    .meta({ id, description: described });

export const RegionRef = reference(
  'RegionRef',
  'code',
  'A country by its ISO 3166-1 alpha-2 code, or an aggregate by its own code',
);
export const IndicatorRef = reference('IndicatorRef', 'slug', 'An indicator');
export const CoverageRef = reference('CoverageRef', 'key', 'A coverage domain');
export const TopicRef = reference('TopicRef', 'slug', 'A topic');
export const CompanyRef = reference('CompanyRef', 'slug', 'A company');
export const EntityRef = reference('EntityRef', 'id', 'A legal entity');

/** Beside `url`. */
export const page = z
  .url()
  .optional()
  .describe(
    'URL of the page for people, in the language of the request; absent if there is no such page or public pages are off',
  );

/** Of one series, by `publishedSince`. */
export const changedPeriods = z
  .object({ from: z.string(), to: z.string() })
  .meta({ id: 'PeriodSpan', description: 'Two reference periods, both inclusive' })
  .nullable()
  .describe(
    'With `publishedSince`: the first and the last period of the figures that were published, restated or withdrawn since; null without it, or if there are none',
  );
export type ChangedPeriods = NonNullable<z.infer<typeof changedPeriods>>;
