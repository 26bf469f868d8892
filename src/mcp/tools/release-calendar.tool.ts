import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { IMPORTANCES } from '../../resources/ahead/ahead.schema.js';
import { AheadService } from '../../resources/ahead/ahead.service.js';
import { day } from '../../resources/parameters.schema.js';
import { namedCountries, coverage, cursor, limitOf, localeArgument } from '../arguments.schema.js';
import { EventText } from '../text/event-text.service.js';
import { ArgumentResolver } from '../argument-resolver.service.js';
import { ToolRunner } from '../tool-runner.service.js';
import { ToolHandler, type ToolDefinition } from '../tool-definition.js';
import { FigureSummary } from '../tool-outputs.schema.js';

const input = z.strictObject({
  from: day.optional().describe('First day: 2026-12-01; none: yesterday'),
  to: day.optional().describe('Last day; none: 32 days after from; at most 400 days'),
  country: namedCountries,
  coverage,
  importance: z.enum(IMPORTANCES).optional().describe('none: all'),
  limit: limitOf(100, 50),
  cursor,
  locale: localeArgument,
});

export const releaseCalendar = {
  name: 'release_calendar',
  title: 'Release calendar',
  description:
    'Lists releases and policy decisions between two days in chronological order, up to 100 per call, each with its previous and, once published, actual figure. Use it for "when is" and "what comes next", or for releases on given days; for how figures moved use latest_changes. No forecasts. If the window is empty, the result names the nearest days with events.',
  input,
  data: z.array(
    z.looseObject({
      id: z.string(),
      url: z.string(),
      title: z.string(),
      scheduledOn: z.string(),
      scheduledAt: z.string().nullable(),
      status: z.string(),
      importance: z.string(),
      actual: FigureSummary,
      previous: FigureSummary,
      source: z.string(),
    }),
  ),
} satisfies ToolDefinition;

@McpController()
export class ReleaseCalendarTool {
  constructor(
    private readonly ahead: AheadService,
    private readonly resolver: ArgumentResolver,
    private readonly lines: EventText,
    private readonly runner: ToolRunner,
  ) {}

  @ToolHandler(releaseCalendar)
  run(@Payload() sent: unknown, @Ctx() mcp: McpContext) {
    return this.runner.run(releaseCalendar, sent, mcp, {
      query: async ({ country, ...query }, context) =>
        this.ahead.list({ ...query, country: await this.resolver.countries(country, context) }, context),
      render: ({ data, window }, language) => this.lines.page(data, window, language),
    });
  }
}
