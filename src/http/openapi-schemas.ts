import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

interface Converted {
  readonly schema: JsonSchema;
  /** Named schemas, by the name that `meta({ id })` gives them. */
  readonly components: Readonly<Record<string, JsonSchema>>;
}

/** Zod to OpenAPI 3.1, whose schemas are JSON Schema: named ones become components. */
export function convertSchema(
  schema: unknown,
  { schemaType }: { readonly schemaType: 'input' | 'output' },
): Converted {
  const json: unknown = z.toJSONSchema(schema as z.ZodType, {
    io: schemaType,
    target: 'draft-2020-12',
    reused: 'inline',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => Object.assign(jsonSchema, samplesOf(zodSchema)),
  });
  const moved = JSON.parse(
    JSON.stringify(json).replaceAll('#/$defs/', '#/components/schemas/'),
  ) as JsonSchema;
  const tidied = tidy(moved, schemaType === 'output') as JsonSchema;
  const { $schema: _dialect, $defs, ...own } = tidied;
  return { schema: own, components: ($defs ?? {}) as Converted['components'] };
}

/** What zod leaves out of an input that it transforms, since it cannot know on which side they stand: ours are sent. */
function samplesOf(schema: z.core.$ZodType): JsonSchema {
  const { default: fallback, examples } = (z.globalRegistry.get(schema) ?? {}) as JsonSchema;
  return {
    ...(fallback !== undefined && { default: fallback }),
    ...(examples !== undefined && { examples }),
  };
}

/** What zod writes for itself and a reader does not need, said as a person would say it. */
function tidy(value: unknown, answered: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => tidy(one, answered));
  if (typeof value !== 'object' || value === null) return value;
  const node = Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !isNoise(name, member, value as JsonSchema, answered))
      .map(([name, member]) => [name, tidy(member, answered)]),
  );
  return foldedNull(withWidth(node));
}

/** Whether a whole number fits 32 bits, which generated clients in typed languages ask. */
function withWidth(node: JsonSchema): JsonSchema {
  if (node['type'] !== 'integer' || node['format'] !== undefined) return node;
  const { minimum, maximum } = node;
  const narrow = typeof minimum === 'number' && typeof maximum === 'number' && maximum < 2 ** 31;
  return { ...node, format: narrow ? 'int32' : 'int64' };
}

function isNoise(name: string, member: unknown, { type, format }: JsonSchema, answered: boolean): boolean {
  switch (name) {
    case 'minimum':
      return member === Number.MIN_SAFE_INTEGER;
    case 'maximum':
      return member === Number.MAX_SAFE_INTEGER;
    case 'pattern':
      // A format says the same in words, and a number that travels as text is described as the number.
      return format !== undefined || type === 'integer';
    case 'additionalProperties':
      // Answers may gain members within v1: a client generated from here must not refuse them.
      return answered && member === false;
    default:
      return false;
  }
}

/** `anyOf: [string, null]` as `type: [string, 'null']`; a reference stays a choice, it has no type of its own. */
function foldedNull(node: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = node;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return node;
  const [shown, none] = anyOf as [JsonSchema, JsonSchema];
  if (none['type'] !== 'null' || typeof shown['type'] !== 'string') return node;
  const values = shown['enum'] as unknown[] | undefined;
  return { ...shown, ...rest, type: [shown['type'], 'null'], ...(values && { enum: [...values, null] }) };
}
