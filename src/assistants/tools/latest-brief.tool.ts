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
    'Gets the economic brief of the newest day (of occurredAt) with changes: a lead with a sentence for each domain; by domain, headlines, most with a figure and the value before it, most important first within each, with importance (up to 40 in all); the market closes known at the end of that day, each with its own day; the stored releases (of the US) of the seven days after that day. Figures, closes and releases have a source, and all have a link: cite a headline without figure by its link.',
    'Use it for "what happened", "brief me" or the top stories, or for US dollar, yen, pound and yuan per euro, oil, gas and 2- and 10-year Treasury yields at once with the close before. For yesterday, a country, topic or week use `latest_changes`; for dates further ahead, or if those seven days are past, `release_calendar`; for one price or the newest `quotes`.',
    'The title names the day, which may be well before today: say so, and do not call a past release coming.',
    'State is open until that day ends in UTC (the brief may grow: if it is short, add `latest_changes` with since the day before and order importance), then final, or retrospective: some of its figures became known only after the day.',
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
