import { z } from 'zod';
import { ownMember } from '../../../domain/names/own-member.js';

export type JsonSchema = Record<string, unknown>;

interface Converted {
  readonly schema: JsonSchema;
  /** Schemas by their `meta({ id })`. */
  readonly components: Readonly<Record<string, JsonSchema>>;
}

type Side = 'input' | 'output';

/** Of each side: a process that starts the service several times converts each schema once. */
const converted: Readonly<Record<Side, WeakMap<z.ZodType, Converted>>> = {
  input: new WeakMap(),
  output: new WeakMap(),
};

/** Converts zod to OpenAPI 3.1; schemas with an id become components. The library copies both. */
export function convertSchema(given: unknown, { schemaType }: { readonly schemaType: Side }): Converted {
  const schema = given as z.ZodType;
  const known = converted[schemaType].get(schema) ?? conversion(schema, schemaType);
  converted[schemaType].set(schema, known);
  return known;
}

function conversion(schema: z.ZodType, schemaType: Side): Converted {
  const json: unknown = z.toJSONSchema(schema, {
    io: schemaType,
    target: 'draft-2020-12',
    reused: 'inline',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, samplesOf(zodSchema));
      if (schemaType === 'output' && zodSchema._zod.def.type === 'enum') opened(jsonSchema);
      if (zodSchema instanceof z.ZodDiscriminatedUnion) discriminated(zodSchema, jsonSchema);
    },
  });
  const moved = JSON.parse(JSON.stringify(json).replaceAll('#/$defs/', '#/components/schemas/')) as JsonSchema;
  const tidied = tidy(moved, schemaType === 'output') as JsonSchema;
  const { $schema: _dialect, $defs, ...own } = tidied;
  return { schema: own, components: ($defs ?? {}) as Converted['components'] };
}

/**
 * A response may gain values of an enumeration within v1, and clients that were generated from a closed one would then
 * fail. `z.literal` stays closed: it is for values that tell the members of a union apart, and for sets that are final.
 */
function opened(schema: JsonSchema): void {
  schema['x-extensible-enum'] = schema['enum'];
  delete schema['enum'];
}

/** For readers whose tool does not know the extension. */
function withOpenValues(node: JsonSchema): JsonSchema {
  const { 'x-extensible-enum': values, description = '' } = node as OpenEnum;
  if (values === undefined || description.includes(OPEN)) return node;
  const listed = OPEN + values.map((value) => `\`${value}\``).join(', ');
  return { ...node, description: description === '' ? listed : `${description}. ${listed}` };
}

const OPEN = 'May grow. So far: ';
interface OpenEnum {
  readonly 'x-extensible-enum'?: readonly string[];
  readonly description?: string;
}

/** Which member of the union a response has, by the value of one property. */
function discriminated(union: z.core.$ZodDiscriminatedUnion, schema: JsonSchema): void {
  const { discriminator, options } = union._zod.def;
  const mapping = options.flatMap((option) => {
    const { id } = z.globalRegistry.get(option) ?? {};
    const values = ownMember(option._zod.propValues ?? {}, discriminator);
    return [...(values ?? [])].map((value) => [value, `#/$defs/${id ?? ''}`]);
  });
  schema['discriminator'] = { propertyName: discriminator, mapping: Object.fromEntries(mapping) as unknown };
}

/** zod cannot tell which side of a transform a default is on, so it omits defaults of inputs; ours are as sent. */
function samplesOf(schema: z.core.$ZodType): JsonSchema {
  const { default: fallback, examples } = (z.globalRegistry.get(schema) ?? {}) as JsonSchema;
  return { ...(fallback !== undefined && { default: fallback }), ...(examples !== undefined && { examples }) };
}

/** Removes keywords that zod emits for itself and a reader does not need. */
function tidy(value: unknown, answered: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => tidy(one, answered));
  if (typeof value !== 'object' || value === null) return value;
  const node = Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !isNoise(name, member, value as JsonSchema, answered))
      .map(([name, member]) => [name, tidy(member, answered)]),
  );
  return withOpenValues(foldedNull(withWidth(node)));
}

/** Whether an integer fits 32 bits: typed clients choose their integer type by it. */
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
      // `format` replaces the pattern, and a number in a string is documented as the number.
      return format !== undefined || type === 'integer';
    case 'additionalProperties':
      // Responses may gain members within v1, so generated clients must accept unknown ones.
      return answered && member === false;
    default:
      return false;
  }
}

/**
 * Rewrites `anyOf: [string, null]` as `type: [string, 'null']`. A reference stays in `anyOf`, because it has no type
 * of its own.
 */
function foldedNull(node: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = node;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return node;
  const [shown, none] = anyOf as [JsonSchema, JsonSchema];
  if (none['type'] !== 'null' || typeof shown['type'] !== 'string') return node;
  const values = shown['enum'] as unknown[] | undefined;
  return { ...shown, ...rest, type: [shown['type'], 'null'], ...(values && { enum: [...values, null] }) };
}
