import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { Locale } from '../../domain/locale/locale.js';
import type { CountryHeat } from '../../serve/resources/heat/heat.schema.js';
import { HeatService } from '../../serve/resources/heat/heat.service.js';
import { day } from '../../serve/resources/parameters.schema.js';
import {
  namedCountries,
  coverage,
  AS_IN_CHANGES,
  limitOf,
  localeArgument,
  window,
} from '../arguments/arguments.schema.js';
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
  until: day.optional().describe('Last day of a past window'),
  coverage: coverage.describe(AS_IN_CHANGES),
  limit: limitOf(60, 20),
  locale: localeArgument,
});

export const countryHeat = {
  name: 'country_heat',
  title: 'Country heat',
  description: [
    'Ranks countries by how much changed in some days against their own normal, or rates one.',
    'Use it for where much is changing; for what `latest_changes`.',
    'Heat is a percentile: 50 is normal, 0 no change in the window, null no change ever. It is no measure of risk. Basis own: earlier windows of the country, peers: of all.',
    'Without until the window ends on the day of the newest matching change: name meta.window. Beyond the stored changes there is no data, not calm.',
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
        return this.heat.list(
          { ...query, coverage: domain, ...(code !== undefined && { country: code }) },
          context,
        );
      },
      project: (data) => ({ data: data.map(projectedHeat) }),
      render: ({ data, window }, language) => {
        const head =
          window === undefined
            ? []
            : [this.renderer.say(language, 'heat.head', this.renderer.span(window, language))];
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
