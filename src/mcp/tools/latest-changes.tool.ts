import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { Result } from '../../answers/result.js';
import { CHANGE_KINDS, type Change } from '../../resources/changes/change.schema.js';
import { ChangesService } from '../../resources/changes/changes.service.js';
import { country, coverage, cursor, limitOf, locale, since, topic, until } from '../arguments.schema.js';
import { ChangeLines } from '../change-lines.service.js';
import { ToolAnswers } from '../tool-answers.service.js';
import { AnswersTool, type ToolDefinition } from '../tool-definition.js';
import { ChangeItem } from '../tool-outputs.schema.js';

const input = z.strictObject({
  limit: limitOf(25, 10),
  cursor,
  coverage,
  topic,
  country,
  kind: z.enum(CHANGE_KINDS).optional().describe('none: all kinds'),
  since,
  until,
  locale,
});

export const latestChanges = {
  name: 'latest_changes',
  title: 'Latest changes',
  description:
    'Lists verified changes in economic and market figures, newest publication first, up to 25 a call. Use it for "what changed" by country, topic, kind or days; to find words use search_changes. Each item is complete but for corrections, so get_change is seldom needed. Nothing matching is an empty list; an unknown coverage, topic or country is an error that names the nearest.',
  input,
  data: z.array(ChangeItem),
} satisfies ToolDefinition;

@McpController()
export class LatestChangesTool {
  constructor(
    private readonly changes: ChangesService,
    private readonly lines: ChangeLines,
    private readonly answers: ToolAnswers,
  ) {}

  @AnswersTool(latestChanges)
  run(@Payload() sent: unknown, @Ctx() context: McpContext) {
    return this.answers.give(latestChanges, sent, context, {
      // Withdrawn ones are listed only where they are asked for, which this tool cannot.
      ask: (query, call) => this.changes.list(query, call) as Promise<Result<Change[]>>,
      read: ({ data }, language) => this.lines.page(data, language),
    });
  }
}
