import { z } from 'zod';
import { isRange } from './formats.js';

const onOff = z.enum(['on', 'off'], { error: 'must be one of on, off' }).default('on');

/** The variables of notifications, as part of the environment's schema. */
export const notificationVariables = {
  ALERT_MAIL: onOff,
  WEBHOOKS: onOff,
  WEBHOOK_ALLOWED_NETWORKS: z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter((item) => item !== ''))
    .refine((ranges) => ranges.every(isRange), 'must be addresses or CIDR ranges, separated by commas'),
};

/** How owners can be notified of their alerts. */
export interface NotificationSettings {
  /** In production only with a mail server. */
  readonly email: boolean;
  readonly webhook: boolean;
  /** Networks that are not public and that webhooks may still reach. */
  readonly allowedNetworks: readonly string[];
}

export function readNotifications(
  env: z.infer<z.ZodObject<typeof notificationVariables>>,
  canMail: boolean,
): NotificationSettings {
  return Object.freeze({
    email: env.ALERT_MAIL === 'on' && canMail,
    webhook: env.WEBHOOKS === 'on',
    allowedNetworks: env.WEBHOOK_ALLOWED_NETWORKS,
  });
}
