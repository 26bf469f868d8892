import { z } from 'zod';
import { Change } from '../changes/change.schema.js';
import { locale, paging } from '../parameters.schema.js';
import { Target } from '../targets.schema.js';

export const Follow = z
  .object({
    id: z.string().describe('Opaque and stable'),
    target: Target,
    since: z.iso.datetime().describe('When the account began to follow it'),
  })
  .meta({ id: 'Follow' });
export type Follow = z.infer<typeof Follow>;

export const FollowedChange = Change.extend({
  followed: z.array(Target).min(1).describe('What the account follows that the change touches'),
}).meta({ id: 'FollowedChange', description: 'A change, with the followed targets that it touches' });
export type FollowedChange = z.infer<typeof FollowedChange>;

export const FollowingQuery = z.strictObject({ locale });
export const FollowedChangesQuery = z.strictObject({ locale, ...paging });
export type FollowedChangesQuery = z.infer<typeof FollowedChangesQuery>;
