import { Prompt } from '@rekog/mcp-nest';
import type { z } from 'zod';
import { languages } from '../../domain/locale/language-names.js';
import { localeArgument } from '../arguments/arguments.schema.js';

export interface PromptDefinition<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For the person who chooses it in a menu. */
  readonly description: string;
  /** Strict: an unknown argument is refused by name. */
  readonly input: Input;
}

export const promptLocale = localeArgument.describe(
  `Language of the text: ${languages('disjunction', String)}; none: en`,
);

/** Marks the method that renders a prompt. */
export function PromptHandler({ name, description, input }: PromptDefinition): MethodDecorator {
  return Prompt({ name, description, parameters: input });
}

/** The entry in `prompts/list`; the library's own has no title. */
export function listedPrompt({ name, title, description, input }: PromptDefinition) {
  const named = Object.entries(input.shape as Record<string, z.ZodType>).map(([argument, field]) => ({
    name: argument,
    description: field.description,
    required: !field.safeParse(undefined).success,
  }));
  return { name, title, description, arguments: named };
}
