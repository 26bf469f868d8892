import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { ChangeId } from '../../serve/resources/changes/changes-query.schema.js';
import { ChangesService } from '../../serve/resources/changes/changes.service.js';
import { localeArgument } from '../arguments/arguments.schema.js';
import { ChangeText } from '../text/change-text.service.js';
import { ToolRunner } from '../calls/tool-runner.service.js';
import { ToolHandler, type ToolDefinition } from '../calls/tool-definition.js';
import { ProjectedChange, projectedDetail, signalsOf } from '../projections/change-projection.js';

const input = z.strictObject({ id: ChangeId.meta({ description: 'Id (chg_…) or its link' }), locale: localeArgument });

export const getChange = {
  name: 'get_change',
  title: 'One change',
  description: [
    'Gets one verified change with its summary and corrections.',
    'Use it for an id or link of `latest_changes`, which omits corrections and, in lists over three, summaries.',
    'Errors: not_found; withdrawn (never cite it).',
  ],
  input,
  data: ProjectedChange.extend({ summary: z.string(), corrections: z.array(z.unknown()).optional() }),
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
