import { z } from 'zod';
import { NAMED } from '../../errors/named.schema.js';
import { Figure, Period } from '../../figures/figure.schema.js';
import { page } from '../links.schema.js';
import { day, locale, paging, regionCodes, slug } from '../parameters.schema.js';
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
  scheduledOn: z.string().describe('The publisher’s local day, YYYY-MM-DD'),
  timeZone: z.string().describe('IANA name of the publisher’s time zone'),
  scheduledAt: z.iso.datetime().nullable().describe('null where the publisher states no time'),
};

const members = {
  id: z.string().describe('Opaque, and the same when the event is moved'),
  url: z.url().describe('Its own address'),
  page,
  title: z.string(),
  region: z.object({ code: z.string(), name: z.string() }),
  indicator: z.object({ slug: z.string(), name: z.string() }),
  ...schedule,
  period: Period.describe('What the figure is of; for a decision the day on which it is due or took effect'),
  estimate: z
    .object({ ordinal: z.int().min(1).max(9), name: z.string() })
    .nullable()
    .describe('Which of several prints of the period; null where there is one only'),
  status: z
    .enum(EVENT_STATUSES)
    .describe(
      'scheduled, postponed or cancelled as the publisher says; released once its figure is there, revised where that restates an earlier print',
    ),
  importance: z.enum(IMPORTANCES),
  previous: Figure.describe(
    'The period before as known on the day of the release, or now while it is awaited',
  ),
  actual: Figure.describe(
    'As published on the day; its value is null and `missing` says why while there is none',
  ),
  revisedFrom: Figure.nullable().describe('What the same period stood at just before; null unless restated'),
  changeId: z.string().nullable().describe('The change that the release made, if any'),
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
    statedOn: z.string().describe('Day of the schedule that said so'),
    replacedOn: z.string().describe('Day of the schedule that said otherwise'),
  })
  .meta({ id: 'Rescheduling', description: 'What an event said before it was moved or called off' });

export const CalendarEventDetail = z
  .object({ ...members, history: z.array(Rescheduling).describe('Oldest first; empty if never moved') })
  .meta({ id: 'CalendarEventDetail' });
export type CalendarEventDetail = z.infer<typeof CalendarEventDetail>;

export const AheadQuery = z.strictObject({
  locale,
  ...paging,
  from: day
    .optional()
    .describe('First day, inclusive, by the publisher’s calendar; default yesterday (UTC)')
    .meta({ examples: ['2026-12-01'] }),
  to: day
    .optional()
    .describe('Last day, inclusive; default 31 days ahead. At most 400 days in all')
    .meta({ examples: ['2026-12-31'] }),
  country: regionCodes
    .optional()
    .describe(
      'Up to 30 codes with commas between: ISO 3166-1 alpha-2 or alpha-3 in any case, or an aggregate such as EMU, which stands for itself and not for its members',
    ),
  coverage: slug
    .optional()
    .describe('Key of a coverage domain')
    .meta({ examples: ['prices'] }),
  importance: z.enum(IMPORTANCES).optional().describe('Only events of this importance'),
});
export type AheadQuery = z.infer<typeof AheadQuery>;

export const EventId = z
  .string()
  .max(64)
  .regex(/^evt_[A-Za-z0-9_-]{1,60}$/)
  .describe("An event's id")
  .meta({ examples: ['evt_yScm6k_SMbNKvgVQNQkLmGbzEcr'] })
  .register(NAMED, { reason: 'no_event' });
