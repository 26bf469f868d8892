import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { Brief } from '../../serve/resources/briefs/brief.schema.js';
import { BriefsService } from '../../serve/resources/briefs/briefs.service.js';
import { localeArgument } from '../arguments/arguments.schema.js';
import { ProjectedBrief, projectedBrief } from '../projections/brief-projection.js';
import { BriefText } from '../text/brief-text.service.js';
import { ToolRunner } from '../calls/tool-runner.service.js';
import { ToolHandler, type ToolDefinition } from '../calls/tool-definition.js';

const input = z.strictObject({ locale: localeArgument });

export const latestBrief = {
  name: 'latest_brief',
  title: 'Latest brief',
  description: [
    'Gets the brief of the newest day with changes: headlines by coverage, closes, and releases ahead.',
    'Use it for an overview; use `latest_changes` for another day, country or topic, `quotes` for newer prices.',
    'Its date, from which releases ahead count, may be long past. Main markets without a close that week are left out.',
  ],
  input,
  data: ProjectedBrief,
} satisfies ToolDefinition;

@McpController()
export class LatestBriefTool {
  constructor(
    private readonly briefs: BriefsService,
    private readonly lines: BriefText,
    private readonly runner: ToolRunner,
  ) {}

  @ToolHandler(latestBrief)
  run(@Payload() sent: unknown, @Ctx() mcp: McpContext) {
    return this.runner.run<typeof input, Brief>(latestBrief, sent, mcp, {
      query: (_, context) => this.briefs.findLatest(context),
      project: (data) => ({ data: projectedBrief(data) }),
      render: ({ data }, language) => this.lines.of(data, language),
    });
  }
}
