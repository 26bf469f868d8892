import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { formatDay } from '../../domain/locale/format.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { nameArgument } from '../arguments/arguments.schema.js';
import { NamedValues } from '../arguments/named-values.service.js';
import { latestChanges } from '../tools/latest-changes.tool.js';
import { releaseCalendar } from '../tools/release-calendar.tool.js';
import { PromptHandler, promptLocale, type PromptDefinition } from './prompt-definition.js';
import { callText, PromptRunner } from './prompt-runner.service.js';

const input = z.strictObject({
  country: nameArgument.describe('Country or aggregate by name or code: Japan, DE, EMU'),
  locale: promptLocale,
});

const CHANGES = 25;

export const countryReport = {
  name: 'country_report',
  title: 'Country report',
  description: 'The newest figures of a country, their revisions and the releases ahead, with sources; two calls',
  input,
} satisfies PromptDefinition;

@McpController()
export class CountryReportPrompt {
  constructor(
    private readonly texts: Texts,
    private readonly named: NamedValues,
    private readonly runner: PromptRunner,
  ) {}

  @PromptHandler(countryReport)
  run(@Payload() sent: unknown, @Ctx() mcp: McpContext) {
    return this.runner.run(countryReport, sent, mcp, async ({ country: words, locale }, context) => {
      const { value: country, name } = await this.named.country(words, context);
      const today = formatDay(locale, context.today);
      const changes = callText(latestChanges, { country, limit: CHANGES, locale });
      const calendar = callText(releaseCalendar, { country, locale });
      return [
        this.texts.say(locale, 'prompts.country_report.task', { name: name[locale], today }),
        this.texts.say(locale, 'prompts.country_report.data', { name: name[locale], changes, calendar }),
        this.texts.say(locale, 'prompts.country_report.write'),
        ...this.runner.rules(locale),
      ];
    });
  }
}
