import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { IMPORTANCES } from '../../serve/resources/ahead/ahead.schema.js';
import { AheadService } from '../../serve/resources/ahead/ahead.service.js';
import { day } from '../../serve/resources/parameters.schema.js';
import {
  namedCountries,
  coverage,
  cursor,
  limitOf,
  localeArgument,
  nextPage,
  topic,
  window,
} from '../arguments/arguments.schema.js';
import { EventText } from '../text/event-text.service.js';
import { ArgumentResolver } from '../arguments/argument-resolver.service.js';
import { ToolRunner } from '../calls/tool-runner.service.js';
import { ToolHandler, type ToolDefinition } from '../calls/tool-definition.js';
import { ProjectedEvent, projectedEvent } from '../projections/event-projection.js';

const input = z.strictObject({
  from: day.optional().describe('2026-12-01; default: yesterday, or 32 days before to'),
  to: day.optional().describe('Up to 399, by default 32, days after from'),
  country: namedCountries.describe('US'),
  coverage: coverage.describe('growth, prices, money-credit'),
  topic: topic.describe('gdp, inflation, monetary-policy'),
  importance: z.enum(IMPORTANCES).optional().describe('Exactly this level'),
  limit: limitOf(100, 50),
  cursor,
  locale: localeArgument,
});

export const releaseCalendar = {
  name: 'release_calendar',
  title: 'Release calendar',
  description: [
    'Lists US CPI and GDP releases and Federal Reserve decisions between two days, earliest first, with previous and actual figures where stored.',
    'Use it for when something is due; use `figures` for values by period.',
    'Schedules can end before today: an empty window proves nothing and names the nearest days with events.',
  ],
  input,
  data: z.array(ProjectedEvent),
  meta: { page: nextPage.optional(), window },
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
      query: async ({ country, coverage, topic, ...query }, context) =>
        this.ahead.list(
          {
            ...query,
            coverage: await this.resolver.member('coverage', coverage, context),
            topic: await this.resolver.member('topic', topic, context),
            country: await this.resolver.countries(country, context),
          },
          context,
        ),
      project: (data) => ({ data: data.map(projectedEvent) }),
      render: ({ data, window }, language) => this.lines.page(data, window, language),
    });
  }
}
