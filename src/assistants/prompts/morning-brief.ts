import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { formatDay } from '../../domain/locale/format.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { latestBrief } from '../tools/latest-brief.tool.js';
import { PromptHandler, promptLocale, type PromptDefinition } from './prompt-definition.js';
import { callText, PromptRunner } from './prompt-runner.service.js';

const input = z.strictObject({ locale: promptLocale });

export const morningBrief = {
  name: 'morning_brief',
  title: 'Morning brief',
  description: 'What changed on the newest day, the closes and the releases ahead, with sources; one call',
  input,
} satisfies PromptDefinition;

@McpController()
export class MorningBriefPrompt {
  constructor(
    private readonly texts: Texts,
    private readonly runner: PromptRunner,
  ) {}

  @PromptHandler(morningBrief)
  run(@Payload() sent: unknown, @Ctx() mcp: McpContext) {
    return this.runner.run(morningBrief, sent, mcp, ({ locale }, context) => {
      const today = formatDay(locale, context.today);
      const call = callText(latestBrief, { locale });
      return [
        this.texts.say(locale, 'prompts.morning_brief.task', { today }),
        this.texts.say(locale, 'prompts.morning_brief.data', { call }),
        this.texts.say(locale, 'prompts.morning_brief.write'),
        ...this.runner.rules(locale),
      ];
    });
  }
}
