import { Tool } from '@rekog/mcp-nest';
import { z } from 'zod';

export interface ToolDefinition<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For a model: what it gives, when to use it and when a sibling, what an empty answer looks like. */
  readonly description: string;
  /** Strict: an argument that is not here is refused by name. */
  readonly input: Input;
  /** Of `data` in the answer, as far as it is promised; what else is in it may be ignored. */
  readonly data: z.ZodType;
}

/** The library would validate and answer in words of its own; `ToolAnswers` does, in those of the error table. */
function unjudged(schema: z.ZodObject) {
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'tidemark',
      validate: (value: unknown) => ({ value }),
      jsonSchema: {
        input: () => jsonSchemaOf(schema, 'input'),
        output: () => jsonSchemaOf(schema, 'output'),
      },
    },
  };
}

/** Marks the method that answers a tool's calls. */
export function AnswersTool({ name, description, input }: ToolDefinition): MethodDecorator {
  return Tool({ name, description, parameters: unjudged(input) });
}

/** What a client may validate an answer with: loose, because members may be added. */
function outputOf({ data }: ToolDefinition): z.ZodObject {
  return z.looseObject({
    data,
    meta: z.looseObject({
      sources: z.array(z.looseObject({ id: z.string() })).describe('Name, link, licence: cite them'),
      notices: z.array(z.string()).describe('Must be shown'),
    }),
  });
}

/** As `tools/list` gives it. */
export function listedTool(tool: ToolDefinition) {
  const { name, title, description, input } = tool;
  return {
    name,
    title,
    description,
    inputSchema: jsonSchemaOf(input, 'input'),
    outputSchema: jsonSchemaOf(outputOf(tool), 'output'),
    annotations: {
      readOnlyHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    // What says nothing costs the reader tokens all the same.
    override: ({ jsonSchema }) => {
      const { additionalProperties } = jsonSchema;
      if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length === 0) {
        delete jsonSchema.additionalProperties;
      }
    },
  });
  return rest;
}
