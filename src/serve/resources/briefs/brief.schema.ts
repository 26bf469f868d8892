import { z } from 'zod';
import { age, Figure, Period } from '../../../domain/figures/figure.schema.js';
import { CoverageRef, IndicatorRef, page, RegionRef } from '../links.schema.js';
import { day } from '../parameters.schema.js';
import type { Resource } from '../../responses/resource.js';

export const briefsResource = {
  path: 'briefs',
  tag: 'Briefs',
  about: 'What changed on a day',
  family: 'briefs',
} satisfies Resource;

const BriefItem = z
  .object({
    headline: z.string().describe('One line, in the language of the request'),
    knownSince: z
      .string()
      .describe('Day of the vintage from which its most important change is known: later than the brief’s day in some'),
    importance: z.int().min(0).max(100).describe('0 to 100, of its most important change'),
    count: z.int().describe('Number of changes in this item: one, or several similar revisions'),
    changes: z
      .array(z.object({ id: z.string(), url: z.url(), page }).meta({ id: 'ChangeRef', description: 'A change' }))
      .describe('The changes in this item, most important first; at most 20'),
    figure: Figure.nullable().describe('Figure of the most important change; null if that change has no figure'),
  })
  .meta({ id: 'BriefItem' });

const BriefSection = z
  .object({
    coverage: CoverageRef,
    items: z.array(BriefItem).describe('At most ten, most important first'),
    omitted: z.int().describe('Number of changes of the day in this domain that are in no item'),
  })
  .meta({ id: 'BriefSection' });

const BriefMarket = z
  .object({
    key: z.string(),
    url: z.url(),
    page,
    name: z.string(),
    kind: z.enum(['fx', 'commodity', 'rate', 'index', 'equity']),
    text: z
      .string()
      .describe('Level and move as a sentence without the name, and who printed them, in the language of the request'),
    last: Figure.describe('The newest close known at the end of the day'),
    previous: Figure.describe('The previous close'),
    change: z.number().describe('last − previous, in the unit of the instrument; in percentage points for percentages'),
    changePercent: z
      .number()
      .nullable()
      .describe('Relative difference in percent; null for percentages, and if the previous close is ≤ 0'),
  })
  .meta({ id: 'BriefMarket' });

const BriefEvent = z
  .object({
    id: z.string(),
    url: z.url(),
    page,
    title: z.string(),
    region: RegionRef,
    indicator: IndicatorRef,
    period: Period,
    importance: z.literal(['low', 'medium', 'high']),
    scheduledOn: z.string().describe('Day in the publisher’s time zone'),
    timeZone: z.string(),
    scheduledAt: z.iso.datetime().nullable().describe('UTC; null if the publisher states no time'),
    source: z.string(),
    previous: Figure.describe('The figure before, as known then; `not_held` if none is held'),
    text: z.string().describe('The event with its day and the figure before, in the language of the request'),
  })
  .meta({ id: 'BriefEvent' });

export const Brief = z
  .object({
    date: z.string().describe('The day on which the changes occurred, YYYY-MM-DD'),
    url: z.url(),
    page,
    title: z.string().describe('Title, which names the day'),
    summary: z.string(),
    ...age,
    state: z
      .enum(['open', 'final', 'retrospective'])
      .describe('open: until the day ends in UTC; retrospective: some of its figures became known after the day'),
    compiledUntil: z
      .string()
      .nullable()
      .describe('Day of the newest vintage that a retrospective brief uses; null for others'),
    sections: z
      .array(BriefSection)
      .describe('Domains with changes of the day, in the order of the catalogue; at most 40 items in total'),
    markets: z
      .array(BriefMarket)
      .describe('Closes of the headline instruments as known at the end of the day; empty without any'),
    ahead: z
      .array(BriefEvent)
      .describe(
        'Releases scheduled for the next seven days, as known at the end of the day, in chronological order; at most the 20 most important',
      ),
    previousDate: z.string().nullable().describe('The nearest earlier day with a brief'),
    nextDate: z.string().nullable().describe('The nearest later day with a brief'),
    sources: z.array(z.string()).describe('Ids in `meta.sources`'),
  })
  .meta({ id: 'Brief', description: 'The changes of one day, as known at the end of that day' });
export type Brief = z.infer<typeof Brief>;

export const BriefDate = day.meta({ description: 'A day', examples: ['2026-07-01'] });
