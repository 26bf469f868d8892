import { z } from 'zod';
import { ALERT_METRICS } from '../../following/alert-metrics.js';
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
    changeId: z
      .string()
      .nullable()
      .describe('The change that fired the alert; null if a figure without a change fired it'),
    url: z.url().describe('URL of the change, otherwise of the target'),
    page,
    headline: z.string().describe('One line, in the language of the request'),
    at: z.iso.datetime().describe('When the change or figure was published'),
    sources: z.array(z.string()).describe('Ids in `meta.sources`'),
  })
  .meta({ id: 'AlertEvent' });

export const Alert = z
  .object({
    id: z.string().describe('Opaque and stable'),
    name: z.string().describe('The text that the account set'),
    target: Target,
    condition: z
      .object({
        metric: z
          .enum(ALERT_METRICS)
          .describe(
            'any_change: a change of the target is published; value_above, value_below: the newest figure crosses the threshold; move_percent: the newest figure differs from the previous one by at least the threshold',
          ),
        threshold: z
          .number()
          .nullable()
          .describe('In the unit of the target; in percent for `move_percent`; null for `any_change`'),
      })
      .meta({ id: 'AlertCondition' }),
    state: z
      .enum(ALERT_STATES)
      .describe(
        'triggered: the condition has turned true and still holds; armed: it does not hold; paused: it is not evaluated',
      ),
    createdAt: z.iso.datetime(),
    lastTriggeredAt: z.iso.datetime().nullable().describe('Time of the newest event; null without one'),
    events: z.array(alertEvent).max(20).describe('The newest 20 events, newest first'),
  })
  .meta({
    id: 'Alert',
    description: 'A condition that an account sets on a target, with the events at which it fired',
  });
export type Alert = z.infer<typeof Alert>;

export const AlertsQuery = z.strictObject({ locale, ...paging });
export type AlertsQuery = z.infer<typeof AlertsQuery>;
