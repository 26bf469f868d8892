import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { Brief } from '../../resources/briefs/brief.schema.js';
import { BriefsService } from '../../resources/briefs/briefs.service.js';
import { localeArgument } from '../arguments.schema.js';
import { BriefText } from '../text/brief-text.service.js';
import { ToolRunner } from '../tool-runner.service.js';
import { ToolHandler, type ToolDefinition } from '../tool-definition.js';

const input = z.strictObject({ locale: localeArgument });

export const latestBrief = {
  name: 'latest_brief',
  title: 'Latest brief',
  description:
    'Gets the brief of the newest day with changes: up to 40 items by domain, most important first, with market closes and upcoming releases. Use it for "what happened" without a subject; with a country, topic or day use latest_changes. Its title names the day, which may be well before today; before the first publication it is not_found.',
  input,
  data: z.looseObject({
    date: z.string(),
    url: z.string(),
    title: z.string(),
    summary: z.string(),
    state: z.string(),
    sections: z.array(
      z.looseObject({ items: z.array(z.looseObject({ headline: z.string() })), omitted: z.number() }),
    ),
  }),
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
      render: ({ data }, language) => this.lines.of(data, language),
    });
  }
}
