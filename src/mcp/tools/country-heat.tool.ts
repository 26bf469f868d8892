import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { invalidParameter } from '../../errors/api-error.js';
import type { Locale } from '../../locale/locale.js';
import type { CountryHeat } from '../../resources/heat/heat.schema.js';
import { HeatService } from '../../resources/heat/heat.service.js';
import { day } from '../../resources/parameters.schema.js';
import { namedCountries, coverage, limitOf, localeArgument } from '../arguments.schema.js';
import { linkOf } from '../../responses/url-builder.service.js';
import { inert } from '../text/quoted-text.js';
import { ArgumentResolver } from '../argument-resolver.service.js';
import { ToolRunner } from '../tool-runner.service.js';
import { ToolHandler, type ToolDefinition } from '../tool-definition.js';
import { TextRenderer } from '../text/text-renderer.service.js';

const input = z.strictObject({
  country: namedCountries.describe('One name or code: JP, Germany; none: the hottest first'),
  days: z.number().int().min(1).max(90).default(7).describe('Length of the window'),
  until: day.optional().describe('Last day; none: day of the newest matching change'),
  coverage,
  limit: limitOf(60, 20).describe('Countries'),
  locale: localeArgument,
});

export const countryHeat = {
  name: 'country_heat',
  title: 'Country heat',
  description:
    'Ranks countries by how much changed in a window of days compared with their normal, 0 to 100, highest first; or returns one country. Use it for "where is a lot changing"; for the changes themselves use latest_changes with country. 50 is a normal window, 0 an empty one, null a country without changes. It measures change, never risk.',
  input,
  data: z.array(
    z.looseObject({
      country: z.looseObject({ code: z.string(), name: z.string() }),
      heat: z.number().nullable(),
      basis: z.string().nullable(),
      counts: z.looseObject({ changes: z.number(), importance: z.number() }),
    }),
  ),
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
      query: async ({ country, ...query }, context) => {
        const [code, ...others] = (await this.resolver.countries(country, context)) ?? [];
        if (others.length > 0) {
          throw invalidParameter({ parameter: 'country', reason: 'list_maximum', args: { limit: 1 } });
        }
        return this.heat.list({ ...query, ...(code !== undefined && { country: code }) }, context);
      },
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

  private lines({ country, heat, basis, counts, changes }: CountryHeat, language: Locale): string[] {
    const { code, name } = country;
    if (heat === null || basis === null) return [this.renderer.say(language, 'heat.never', { code, name })];
    const { windows, importance } = counts;
    const facts = { code, name, heat, windows, importance, changes: counts.changes };
    return [
      this.renderer.say(language, `heat.${basis}`, facts),
      ...changes.map((change) => `- ${inert(change.headline)} ${linkOf(change)}`),
    ];
  }
}
