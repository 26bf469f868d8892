import { z } from 'zod';
import { NAMED } from '../../../domain/errors/named.schema.js';
import { counted, described, pageOfChanges } from '../coverage/coverage.schema.js';
import { CoverageRef } from '../links.schema.js';
import { changesSince, locale, paging, slug } from '../parameters.schema.js';
import { SignalItem } from '../signals/signal.schema.js';
import type { Resource } from '../../responses/resource.js';

export const topicsResource = {
  path: 'topics',
  tag: 'Topics',
  about: 'Subjects of changes',
  family: 'topics',
} satisfies Resource;

const members = {
  slug: z.string(),
  ...described,
  coverage: z.array(CoverageRef).describe('Domains of the topic'),
  ...counted,
};

export const Topic = z.object(members).meta({ id: 'Topic' });
export type Topic = z.infer<typeof Topic>;

export const TopicDetail = z
  .object({
    ...members,
    signals: z
      .array(SignalItem)
      .describe('Up to 20 signals: those that are not closed first, then by age, newest first'),
    ...pageOfChanges,
  })
  .meta({ id: 'TopicDetail' });
export type TopicDetail = z.infer<typeof TopicDetail>;

export const TopicQuery = z.strictObject({ locale, ...paging, publishedSince: changesSince });
export type TopicQuery = z.infer<typeof TopicQuery>;
export const TopicSlug = slug
  .meta({ description: 'Slug of a topic', examples: ['inflation'] })
  .register(NAMED, { reason: 'no_topic' });
