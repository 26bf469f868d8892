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
  DOMAIN_OF_CHANGES,
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
  from: day.optional().describe('First day: 2026-12-01; omitted: yesterday; 32 days before a past `to`'),
  to: day
    .optional()
    .describe('Last day, inclusive, at most 400 days after from: 2026-12-31; omitted: 32 days after from'),
  country: namedCountries.describe('US; omitted: all'),
  coverage: coverage.describe(DOMAIN_OF_CHANGES),
  topic: topic.describe(
    'Topic, one of those of `latest_changes`: inflation, gdp, monetary-policy; omitted: all',
  ),
  importance: z.enum(IMPORTANCES).optional().describe('Exactly this importance, not at least; omitted: all'),
  limit: limitOf(100, 50).describe('Events per call'),
  cursor,
  locale: localeArgument,
});

export const releaseCalendar = {
  name: 'release_calendar',
  title: 'Release calendar',
  description: [
    'Lists statistical releases and policy decisions between two days, earliest first.',
    'Use it for "when is", "what comes next" or "what was due on" a day. For what was newly published or revised use `latest_changes`; for values by period `figures`.',
    'Each event has day at the publisher, UTC time if the publisher states one, status, importance, figure of the period before and, once published, actual figure, with unit, source and link. Both are as known on the day of the release. Figures: CPI (an index: for inflation use `figures`), nominal GDP (a level), federal funds rate (no actual on a past day: a hold or a result not stored, so confirm neither; the stored rate of a day is in `figures`). There are no consensus forecasts and no earnings dates of companies.',
    'Send topic (inflation for CPI, gdp, monetary-policy for meetings) and read the titles. For the next one send `to` 45 days ahead if it is monthly, 100 if quarterly or a meeting; for the last one `from` as many days back and `to` today, and take the last that is past and not cancelled.',
    'An empty window names the nearest days with events. Schedules are, as far as imported, those of the Federal Reserve, BLS (CPI) and BEA (GDP), so only of the US, without payrolls. No event means none stored, not that none is planned.',
  ],
  input,
  data: z.array(ProjectedEvent),
  meta: { page: nextPage, window },
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
