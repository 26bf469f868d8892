import { z } from 'zod';
import { ALERT_METRICS } from '../../following/alert-conditions.js';
import { ALERT_STATES } from '../../following/alerts.js';
import { page } from '../links.schema.js';
import { locale, paging } from '../parameters.schema.js';
import { Target } from '../following/target.schema.js';
import type { Resource } from '../../responses/resource.js';

export const alertsResource = {
  path: 'alerts',
  tag: 'Alerts',
  about: 'The alerts of the calling account',
  family: 'changes',
} satisfies Resource;

const alertEvent = z
  .object({
    changeId: z.string().nullable().describe('The change behind it; null where a figure made no change'),
    url: z.url().describe('Of the change, else of the target'),
    page,
    headline: z.string().describe('One line, in the language of the request'),
    at: z.iso.datetime().describe('When the change or figure was published'),
    sources: z.array(z.string()).describe('Ids in `meta.sources`'),
  })
  .meta({ id: 'AlertEvent' });

export const Alert = z
  .object({
    id: z.string().describe('Opaque and stable'),
    name: z.string().describe('As the account wrote it'),
    target: Target,
    condition: z.object({
      metric: z
        .enum(ALERT_METRICS)
        .describe(
          'any_change: a change that touches the target is published; value_above, value_below: its newest figure comes to lie beyond the threshold; move_percent: it differs from the figure before by at least so much',
        ),
      threshold: z
        .number()
        .nullable()
        .describe('In the target’s unit; percent for `move_percent`; null for `any_change`'),
    }),
    state: z
      .enum(ALERT_STATES)
      .describe(
        'triggered: the condition has turned true and still holds; armed: it waits to; paused: it rests',
      ),
    createdAt: z.iso.datetime(),
    lastTriggeredAt: z.iso.datetime().nullable().describe('Of the newest event; null without any'),
    events: z.array(alertEvent).max(20).describe('The newest 20, newest first'),
  })
  .meta({
    id: 'Alert',
    description: 'A condition that an account sets on a target, and the events where it fired',
  });
export type Alert = z.infer<typeof Alert>;

export const AlertsQuery = z.strictObject({ locale, ...paging });
export type AlertsQuery = z.infer<typeof AlertsQuery>;
