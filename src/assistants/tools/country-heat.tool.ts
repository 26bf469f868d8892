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
  DOMAIN_OF_CHANGES,
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
  country: namedCountries.describe(
    'One country, or an aggregate without its members, by name or code: JP, Germany; omitted: a ranking of all',
  ),
  days: z.number().int().min(1).max(90).default(7).describe('Days in the window'),
  until: day
    .optional()
    .describe(
      'Last day of a past window: 2026-07-01; days without stored changes lower heat; omitted (for the last days too): the day of the newest matching change',
    ),
  coverage: coverage.describe(DOMAIN_OF_CHANGES),
  limit: limitOf(60, 20).describe('Countries in the ranking, at most; without effect with country'),
  locale: localeArgument,
});

export const countryHeat = {
  name: 'country_heat',
  title: 'Country heat',
  description: [
    'Ranks countries by how much changed in a window of days (of occurredAt) against their own normal, hottest first (name all of equal heat; the limit, 20 unless sent, may cut them), or rates one country.',
    'Use it for "where is a lot changing", or whether much changes in a country. For the changes or their number use `latest_changes` with country and order importance; for levels such as growth `figures`.',
    'Heat is the percentile, from 0 to 100, of the summed importance of changes (with coverage, of that domain): 50 is normal, 90 busier than nine windows in ten, 0 no change in the window, null no change ever. It never tells how risky or strong an economy is; for a ranking by number read one with limit 60 and sort (if it has 60, another may have more); numbers do not add up, for a change can belong to two countries.',
    'Each country has heat, basis (own: against its own earlier windows; peers: its own are too few, so against those of all countries; a ranking has both: name each), the number of changes, and the three most important as headline and link.',
    'Without until, the window ends on the day of the newest matching change, maybe long before today: name the days in meta.window. To compare, read one ranking with limit 60; for an aggregate or a country that the ranking lacks, call with country, the same days and until set to meta.window.to.',
    'The ranking has only countries with changes, so its end is not the quietest, and no aggregates. A window before the first or after the newest stored changes (`latest_changes` names the nearest days) gives 0 or an empty ranking: no data, not calm.',
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
        if (data.length === 0) return [this.renderer.say(language, 'empty')];
        const head =
          window === undefined
            ? []
            : [this.renderer.say(language, 'heat.head', this.renderer.span(window, language))];
        return [...head, ...data.flatMap((one) => this.lines(one, language))];
      },
    });
  }

  private lines({ country, heat, basis, counts, changes, sources }: CountryHeat, language: Locale): string[] {
    const { code, name } = country;
    if (heat === null || basis === null) return [this.renderer.say(language, 'heat.never', { code, name })];
    const { windows, importance } = counts;
    const facts = { code, name, heat, windows, importance, changes: counts.changes };
    return [
      `${this.renderer.say(language, `heat.${basis}`, facts)} [${sources.join(', ')}]`,
      ...changes.map((change) => `- ${inert(change.headline)} ${linkOf(change)}`),
    ];
  }
}
