import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { ChangeId } from '../../serve/resources/changes/changes-query.schema.js';
import { ChangesService } from '../../serve/resources/changes/changes.service.js';
import { localeArgument } from '../arguments/arguments.schema.js';
import { ChangeText } from '../text/change-text.service.js';
import { ToolRunner } from '../calls/tool-runner.service.js';
import { ToolHandler, type ToolDefinition } from '../calls/tool-definition.js';
import { ProjectedChange, projectedDetail, signalsOf, signals } from '../projections/change-projection.js';

const input = z.strictObject({
  id: ChangeId.describe('Id (chg_…) or link of a change from an earlier result'),
  locale: localeArgument,
});

export const getChange = {
  name: 'get_change',
  title: 'One change',
  description: [
    'Gets one verified change by its id or link: headline, summary, figure with unit, period and previous value, sources, signals (titles of patterns over several changes that it belongs to; no tool lists the others) and corrections (values that this service gave before it corrected the change).',
    'Use it for an id or link that you have: to check for a correction or withdrawal, or to get the figure behind one headline of `country_heat`; for several headlines use `latest_changes` with country, since, until and order importance. Items of `latest_changes` and `search_changes` already have all but summary and corrections. For the current value use `figures` or `quotes`.',
    'A restatement by the publisher is not a correction but a change of its own: find it by `search_changes` with the word revised, the indicator, the year of the period and country.',
    'An unknown id is the error not_found. A withdrawn change is the error withdrawn: do not cite it.',
  ],
  input,
  data: ProjectedChange.extend({
    summary: z.string(),
    corrections: z
      .array(
        z.looseObject({
          correctedAt: z.string(),
          actual: z.number().nullable(),
          previous: z.number().nullable(),
        }),
      )
      .optional()
      .describe('What figure stated until correctedAt; absent: never corrected'),
  }),
  meta: { signals },
} satisfies ToolDefinition;

@McpController()
export class GetChangeTool {
  constructor(
    private readonly changes: ChangesService,
    private readonly lines: ChangeText,
    private readonly runner: ToolRunner,
  ) {}

  @ToolHandler(getChange)
  run(@Payload() sent: unknown, @Ctx() mcp: McpContext) {
    return this.runner.run(getChange, sent, mcp, {
      query: ({ id }, context) => this.changes.find(id, context),
      project: (data) => ({ data: projectedDetail(data), meta: signalsOf([data]) }),
      render: ({ data }, language) => this.lines.one(data, language),
    });
  }
}
