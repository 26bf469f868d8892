import { Tool } from '@rekog/mcp-nest';
import { z } from 'zod';

export interface ToolDefinition<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For a model, a line each: what it returns, when to use it rather than another tool, what an empty result means. */
  readonly description: readonly string[];
  /** Strict: an unknown argument is refused by name. */
  readonly input: Input;
  /** The members of `data` that a model reads most; clients ignore the others. */
  readonly data: z.ZodType;
  /** The members of `meta` beside sources and notices. */
  readonly meta?: z.ZodRawShape;
  /** Of a tool whose whole result has a form that its hosts prescribe. */
  readonly output?: z.ZodObject;
}

/** Disables the library's validation, whose errors have other texts; `ToolRunner` validates. */
function unvalidated(schema: z.ZodObject) {
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'tidemark',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => jsonSchemaOf(schema, 'input'), output: () => jsonSchemaOf(schema, 'output') },
    },
  };
}

/** Marks the method that runs a tool. */
export function ToolHandler({ name, description, input }: ToolDefinition): MethodDecorator {
  return Tool({ name, description: description.join('\n'), parameters: unvalidated(input) });
}

/** The output schema: loose, because members may be added. */
function outputOf({ data, meta, output }: ToolDefinition): z.ZodObject {
  if (output !== undefined) return output;
  return z.looseObject({
    data,
    meta: z.looseObject({ sources: z.array(z.unknown()), notices: z.array(z.unknown()).optional(), ...meta }),
  });
}

/** The entry in `tools/list`. */
export function listedTool(tool: ToolDefinition) {
  const { name, title, description, input } = tool;
  return {
    name,
    title,
    description: description.join('\n'),
    inputSchema: loosened(jsonSchemaOf(input, 'input')),
    outputSchema: jsonSchemaOf(outputOf(tool), 'output'),
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}

/** Client libraries refuse by this before the service can help, so it says less than the service checks. */
function loosened({ properties, required = [], ...rest }: Record<string, unknown>): Record<string, unknown> {
  const loose = Object.entries(properties as Record<string, Record<string, unknown>>).map(([name, property]) => {
    const { pattern: _p, minLength: _s, maxLength: _l, format: _f, ...kept } = property;
    const types = kept['type'] === 'integer' ? ['integer', 'string'] : [kept['type']].flat();
    const type = types.length === 1 ? types[0] : types;
    // A caller that must name every argument sends a default, or null where there is none.
    if ((required as string[]).includes(name) || 'default' in kept) return [name, { ...kept, type }];
    const values = kept['enum'] === undefined ? {} : { enum: [...(kept['enum'] as unknown[]), null] };
    return [name, { ...kept, ...values, type: [...types, 'null'] }];
  });
  const needed = (required as string[]).length > 0 ? { required } : {};
  return { ...rest, properties: Object.fromEntries(loose), ...needed };
}

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    // Drop empty members: they cost the model tokens.
    override: ({ jsonSchema }) => {
      const { additionalProperties, items } = jsonSchema;
      if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length === 0) {
        delete jsonSchema.additionalProperties;
      }
      if (Object.keys(jsonSchema.properties ?? { some: true }).length === 0) delete jsonSchema.properties;
      if (typeof items === 'object' && Object.keys(items).length === 0) delete jsonSchema.items;
      // The descriptions have them.
      delete jsonSchema.examples;
      // Names of members and their shape tell a model more than which of them are always there.
      if (io === 'output') delete jsonSchema.required;
      // A value that may be null, in fewer tokens.
      const [kind, ...others] = jsonSchema.anyOf ?? [];
      if (others.length === 1 && typeof kind?.type === 'string' && others[0]?.type === 'null') {
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, kind, { type: [kind.type, 'null'] });
      }
    },
  });
  return rest;
}
