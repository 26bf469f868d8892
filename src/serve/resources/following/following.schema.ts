import { z } from 'zod';
import { Change } from '../changes/change.schema.js';
import { locale, paging } from '../parameters.schema.js';
import { Target } from './target.schema.js';
import type { Resource } from '../../responses/resource.js';

export const followingResource = {
  path: 'following',
  tag: 'Following',
  about: 'What the calling account follows',
  family: 'changes',
} satisfies Resource;

export const Follow = z
  .object({
    id: z.string().describe('Opaque and stable'),
    target: Target,
    since: z.iso.datetime().describe('When the account began to follow it'),
  })
  .meta({ id: 'Follow' });
export type Follow = z.infer<typeof Follow>;

export const FollowedChange = Change.extend({
  followed: z.array(Target).min(1).describe('The followed targets of the change'),
}).meta({ id: 'FollowedChange', description: 'A change, with its followed targets' });
export type FollowedChange = z.infer<typeof FollowedChange>;

export const FollowedChangesQuery = z.strictObject({ locale, ...paging });
export type FollowedChangesQuery = z.infer<typeof FollowedChangesQuery>;
