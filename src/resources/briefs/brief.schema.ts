import { z } from 'zod';
import { Figure, Period } from '../../figures/figure.schema.js';
import { page } from '../links.schema.js';
import { day } from '../parameters.schema.js';
import type { Resource } from '../../responses/resource.js';

export const briefsResource = {
  path: 'briefs',
  tag: 'Briefs',
  about: 'What a day brought',
  family: 'briefs',
} satisfies Resource;

const BriefItem = z
  .object({
    headline: z.string().describe('One line, in the language of the request'),
    count: z.int().describe('How many changes it gathers: one, or alike revisions'),
    changes: z
      .array(z.object({ id: z.string(), url: z.url(), page }))
      .describe('The changes it gathers, the most important first; of many the first twenty'),
    figure: Figure.nullable().describe('Of its most important change; null where that is none of figures'),
  })
  .meta({ id: 'BriefItem' });

const BriefSection = z
  .object({
    coverage: z.object({ key: z.string(), name: z.string() }),
    items: z.array(BriefItem).describe('At most ten, the most important first'),
    omitted: z.int().describe('Changes of the day in this domain that no item gathers'),
  })
  .meta({ id: 'BriefSection' });

const BriefMarket = z
  .object({
    key: z.string(),
    url: z.url(),
    page,
    name: z.string(),
    kind: z.enum(['fx', 'commodity', 'rate', 'index', 'equity']),
    last: Figure.describe('The last close known at the end of the day'),
    previous: Figure.describe('The close before it'),
    change: z.number().describe('last − previous, in the unit; percentage points where that is a percentage'),
    changePercent: z
      .number()
      .nullable()
      .describe('Relative difference in percent; null for percent units and where the close before is ≤ 0'),
  })
  .meta({ id: 'BriefMarket' });

const BriefEvent = z
  .object({
    id: z.string(),
    url: z.url(),
    page,
    title: z.string(),
    region: z.object({ code: z.string(), name: z.string() }),
    indicator: z.object({ slug: z.string(), name: z.string() }),
    period: Period,
    importance: z.enum(['low', 'medium', 'high']),
    scheduledOn: z.string().describe("The publisher's local day"),
    timeZone: z.string(),
    scheduledAt: z.iso.datetime().nullable().describe('null where the publisher states no time'),
    source: z.string(),
  })
  .meta({ id: 'BriefEvent' });

export const Brief = z
  .object({
    date: z.string().describe('The day, by the clock of the data'),
    url: z.url(),
    page,
    title: z.string().describe('Names the day'),
    summary: z.string(),
    state: z.enum(['open', 'final']).describe('open until the day ends in UTC'),
    sections: z
      .array(BriefSection)
      .describe('Domains with changes of the day, in the order of the catalogue; at most 40 items in all'),
    markets: z
      .array(BriefMarket)
      .describe('Closes of the headline instruments as known at the end of the day; empty where none was'),
    ahead: z
      .array(BriefEvent)
      .describe(
        'Releases scheduled for the seven days after, as known at the end of the day, in time order; at most twenty, the most important',
      ),
    previousDate: z.string().nullable().describe('The nearest day before that has a brief'),
    nextDate: z.string().nullable().describe('The nearest day after that has a brief'),
    sources: z.array(z.string()).describe('Ids in `meta.sources`'),
  })
  .meta({
    id: 'Brief',
    description: 'What one day changed. It uses only what was known at the end of that day.',
  });
export type Brief = z.infer<typeof Brief>;

export const BriefDate = day.describe('A day').meta({ examples: ['2026-07-01'] });
