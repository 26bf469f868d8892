import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { Locale } from '../../domain/locale/locale.js';
import type { CountryHeat } from '../../serve/resources/heat/heat.schema.js';
import { HeatService } from '../../serve/resources/heat/heat.service.js';
import { day } from '../../serve/resources/parameters.schema.js';
import { namedCountries, coverage, limitOf, localeArgument, window } from '../arguments/arguments.schema.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import { inert } from '../protocol/quoted-text.js';
import { ArgumentResolver } from '../arguments/argument-resolver.service.js';
import { ProjectedHeat, projectedHeat } from '../projections/heat-projection.js';
import { ToolRunner } from '../calls/tool-runner.service.js';
import { ToolHandler, type ToolDefinition } from '../calls/tool-definition.js';
import { TextRenderer } from '../text/text-renderer.service.js';

const input = z.strictObject({
  country: namedCountries.describe('One country: JP, Germany; without it all are ranked'),
  days: z.number().int().min(1).max(90).default(7),
  until: day.optional().describe('Last day: 2026-05-31'),
  coverage: coverage.describe('As in `latest_changes`'),
  limit: limitOf(60, 20),
  locale: localeArgument,
});

export const countryHeat = {
  name: 'country_heat',
  title: 'Country heat',
  description: [
    'Ranks countries, or rates one, by how much changed in a window compared with what is normal.',
    'Use it for where much changed, `latest_changes` for what.',
    'Heat is a percentile, not a risk: 50 is normal, 0 means no change in the window, null none ever. Basis own compares with earlier windows of the country, peers with those of all.',
    'Without until, the window ends on the day of the newest matching change: state meta.window. Days outside the stored changes mean no data, not calm.',
  ],
  input,
  data: z.array(ProjectedHeat),
  meta: { window },
} satisfies ToolDefinition;

@McpController()
export class CountryHeatTool {
  constructor(
    private readonly heat: HeatService,
    private readonly resolver: ArgumentResolver,
    private readonly renderer: TextRenderer,
    private readonly runner: ToolRunner,
  ) {}

  @ToolHandler(countryHeat)
  run(@Payload() sent: unknown, @Ctx() mcp: McpContext) {
    return this.runner.run(countryHeat, sent, mcp, {
      query: async ({ country, coverage, ...query }, context) => {
        const domain = await this.resolver.member('coverage', coverage, context);
        const [code, ...others] = (await this.resolver.countries(country, context)) ?? [];
        if (others.length > 0) {
          context.faults.add([{ parameter: 'country', reason: 'list_maximum', args: { limit: 1 } }]);
        }
        return this.heat.list({ ...query, coverage: domain, ...(code !== undefined && { country: code }) }, context);
      },
      project: (data) => ({ data: data.map(projectedHeat) }),
      render: ({ data, window }, language) => {
        const head =
          window === undefined ? [] : [this.renderer.say(language, 'heat.head', this.renderer.span(window, language))];
        const lines = data.flatMap((one) => this.lines(one, language));
        return [...head, ...(lines.length > 0 ? lines : [this.renderer.say(language, 'empty')])];
      },
    });
  }

  private lines({ country, heat, basis, counts, changes, sources }: CountryHeat, language: Locale): string[] {
    const { code, name } = country;
    if (heat === null || basis === null) return [this.renderer.say(language, 'heat.never', { code, name })];
    const { windows, importance } = counts;
    const facts = { code, name, heat, windows, importance, changes: counts.changes };
    const cited = sources.length > 0 ? ` [${sources.join(', ')}]` : '';
    return [
      `${this.renderer.say(language, `heat.${basis}`, facts)}${cited}`,
      ...changes.map((change) => `- ${inert(change.headline)} ${linkOf(change)}`),
    ];
  }
}
