import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { ChangeId } from '../../resources/changes/changes-query.schema.js';
import { ChangesService } from '../../resources/changes/changes.service.js';
import { localeArgument } from '../arguments.schema.js';
import { ChangeText } from '../text/change-text.service.js';
import { ToolRunner } from '../tool-runner.service.js';
import { ToolHandler, type ToolDefinition } from '../tool-definition.js';
import { ChangeItem } from '../tool-outputs.schema.js';

const input = z.strictObject({ id: ChangeId.describe('As in a list item: chg_…'), locale: localeArgument });

export const getChange = {
  name: 'get_change',
  title: 'One change',
  description:
    'Gets one change by its id, with its figures before each correction. Use it only for an id you have; to find changes use latest_changes or search_changes, whose items already contain the rest. An unknown id is not_found; a withdrawn change is withdrawn and must not be cited.',
  input,
  data: ChangeItem,
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
      render: ({ data }, language) => this.lines.one(data, language),
    });
  }
}
