import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';

type SchemaObjects = Record<string, object>;

/** Zod to OpenAPI 3.1, whose schemas are JSON Schema: named ones become components. */
function convert(schema: unknown, { schemaType }: { schemaType: 'input' | 'output' }) {
  const {
    $schema: _dialect,
    $defs,
    ...own
  } = z.toJSONSchema(schema as z.ZodType, {
    io: schemaType,
    target: 'draft-2020-12',
    reused: 'inline',
    unrepresentable: 'any',
  }) as SchemaObjects & { $defs?: SchemaObjects };
  return rebased({ schema: own, components: $defs ?? {} });
}

/** Local definitions move to the document's components. */
function rebased<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll('#/$defs/', '#/components/schemas/')) as T;
}

const DESCRIPTION = `Verified changes in economic figures, each with its source and licence, in English, Chinese and Japanese.

**Try it**: press *Authorize*, enter your key, open an operation, *Try it out*, *Execute*.

**Every answer** is \`{ data, meta }\`; an error adds \`error\` and has \`data: null\`. \`meta.sources\` holds one attribution for each source id in \`data\`: keep it with the figures you show, and show \`meta.notices\` too.

**Limits** are per account, over all its keys. Every answer says what is left in its headers; above a limit the answer is 429 with \`retry-after\`.

**Within v1** members, enum values and optional parameters may be added; nothing is removed, renamed or retyped. Ignore what you do not know. Everything is safe to retry.`;

/** The document at /docs/openapi.json, made from the schemas that validate. */
export function openApiDocument(app: INestApplication, baseUrl: string): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Tidemark')
    .setVersion('1')
    .setDescription(DESCRIPTION)
    .addServer(baseUrl)
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', description: 'A key: tm_ and 36 letters and digits' },
      'key',
    )
    .addSecurityRequirements('key')
    .addTag('Changes', 'Verified differences in sourced facts')
    .addTag('Coverage', 'Domains that the changes fall into')
    .addTag('Topics', 'What the changes are about')
    .addTag('Macro', 'Series of macro figures, and the economy board')
    .build();
  return SwaggerModule.createDocument(app, config, {
    standardSchemaConverter: convert as never,
    operationIdFactory: (controller, method) =>
      `${controller.replace('Controller', '').toLowerCase()}_${method}`,
  });
}
