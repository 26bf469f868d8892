import { z } from 'zod';
import { NAMED } from '../../../domain/errors/named.schema.js';
import { Figure, Period } from '../../../domain/figures/figure.schema.js';
import { IndicatorRef, page, RegionRef } from '../links.schema.js';
import { copyPaging, day, locale, publishedSince, regionCodes, slug } from '../parameters.schema.js';
import type { Resource } from '../../responses/resource.js';

export const aheadResource = {
  path: 'ahead',
  tag: 'Calendar',
  about: 'The release calendar, with previous and actual figures',
  family: 'ahead',
} satisfies Resource;

export const EVENT_STATUSES = ['scheduled', 'released', 'revised', 'postponed', 'cancelled'] as const;
export const IMPORTANCES = ['low', 'medium', 'high'] as const;

const schedule = {
  scheduledOn: z.string().describe('Day in the publisher’s time zone, YYYY-MM-DD'),
  timeZone: z.string().describe('IANA name of the publisher’s time zone'),
  scheduledAt: z.iso.datetime().nullable().describe('UTC; null if the publisher states no time'),
};

const members = {
  id: z.string().describe('Opaque; it stays the same if the event is postponed'),
  url: z.url().describe('URL of this event'),
  page,
  title: z.string(),
  region: RegionRef,
  indicator: IndicatorRef,
  ...schedule,
  period: Period.describe('Reference period of the figure; for a decision, the day on which it is due or took effect'),
  estimate: z
    .object({ ordinal: z.int().min(1).max(9), name: z.string() })
    .meta({ id: 'Estimate' })
    .nullable()
    .describe('Which of several estimates of the period; null if there is only one'),
  status: z
    .enum(EVENT_STATUSES)
    .describe(
      'scheduled, postponed, cancelled: as the publisher states; released: the figure is published; revised: the figure restates an earlier estimate',
    ),
  importance: z.literal(IMPORTANCES),
  previous: Figure.describe(
    'The figure of the previous period as known on the day of the release; as known now for a future release',
  ),
  actual: Figure.describe(
    'The figure as published on the day. Before that its value is null, with the reason in `missing`',
  ),
  revisedFrom: Figure.nullable().describe(
    'The earlier figure of the same period; null unless the release restates one',
  ),
  changeId: z.string().nullable().describe('Id of the change that the release made; null without one'),
  source: z.string().describe('Id in `meta.sources`'),
};

export const CalendarEvent = z
  .object(members)
  .meta({ id: 'CalendarEvent', description: 'One release or decision in its publisher’s calendar' });
export type CalendarEvent = z.infer<typeof CalendarEvent>;

const Rescheduling = z
  .object({
    ...schedule,
    status: z.enum(['scheduled', 'postponed', 'cancelled']),
    statedOn: z.string().describe('Day of the schedule that first stated this date'),
    replacedOn: z.string().describe('Day of the schedule that replaced it'),
  })
  .meta({ id: 'Rescheduling', description: 'An earlier schedule of a postponed or cancelled event' });

export const CalendarEventDetail = z
  .object({ ...members, history: z.array(Rescheduling).describe('Oldest first; empty if the schedule never changed') })
  .meta({ id: 'CalendarEventDetail' });
export type CalendarEventDetail = z.infer<typeof CalendarEventDetail>;

export const AheadQuery = z.strictObject({
  locale,
  ...copyPaging,
  from: day
    .optional()
    .describe(
      'First day, inclusive, in the publisher’s calendar; default: yesterday (UTC), or 32 days before `to` if that is past',
    )
    .meta({ examples: ['2026-12-01'] }),
  to: day
    .optional()
    .describe('Last day, inclusive; default: 32 days after `from`. The window has at most 400 days')
    .meta({ examples: ['2026-12-31'] }),
  country: regionCodes
    .optional()
    .describe(
      'Up to 30 codes, separated by commas: ISO 3166-1 alpha-2 or alpha-3 in any case, or an aggregate such as EMU, which does not include its members',
    ),
  coverage: slug.optional().meta({ description: 'Key of a coverage domain', examples: ['prices'] }),
  topic: slug.optional().meta({ description: 'Slug of a topic', examples: ['inflation'] }),
  importance: z.enum(IMPORTANCES).optional().describe('Only events of this importance'),
  publishedSince: publishedSince.describe(
    'Only events that were scheduled, postponed or cancelled, or whose figures were published or restated, at or after this day or instant. Without `from` and `to` on any day',
  ),
});
export type AheadQuery = z.infer<typeof AheadQuery>;

export const EventId = z
  .string()
  .max(64)
  .regex(/^evt_[A-Za-z0-9_-]{1,60}$/)
  .meta({ description: 'Id of an event', examples: ['evt_yScm6k_SMbNKvgVQNQkLmGbzEcr'] })
  .register(NAMED, { reason: 'no_event' });
