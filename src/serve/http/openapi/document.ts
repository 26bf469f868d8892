import type { INestApplication } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { ErrorCode } from '../../../domain/errors/errors.js';
import { languages } from '../../../domain/locale/language-names.js';
import { CODES, errorResponse, errorResponses } from './errors.js';
import { newestInterfaceVersion } from './changelog.js';
import { exampleResponses } from './examples.js';
import { HEADERS } from './headers.js';
import { resourcesOf } from './resource-controller.decorator.js';
import { convertSchema, type JsonSchema } from './schemas.js';
import { ProblemEnvelope } from '../response/problem.schema.js';
import { ErrorResponses } from '../response/error-responses.service.js';

interface Parameter {
  readonly in: 'query' | 'path';
  readonly schema: JsonSchema;
  description?: string;
  example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly parameters: Parameter[];
  readonly responses: Record<string, object>;
  readonly [CODES]: ErrorCode[];
}

const DESCRIPTION = `Verified changes in economic and market figures, each with its source and licence, in ${languages('conjunction')}.

**Try it** at [/docs](/docs): press *Authorize*, enter your key, open an operation and press *Execute*.

**Every response** is \`{ data, meta }\`; an error adds \`error\` and has \`data: null\`. \`meta.sources\` has one attribution for each source id in \`data\`: keep it with the figures that you show, and show \`meta.notices\` too.

**A missing value** is \`null\`, with its reason in \`missing\`; it is never 0. A series ends at its newest figure; \`stale\` says whether a newer one is overdue.

**Limits** apply per account, over all its keys. The headers of every response state the remaining requests; above a limit the response is 429 with \`retry-after\`. Use \`error.code\` in programs: [what each code means](/docs/errors).

**Copies** stay current at low cost: send the \`ETag\` as \`If-None-Match\`. On every list and series, \`publishedSince\` returns only what was published, corrected or restated since. Delete what \`meta.removed\` names, and the changes that \`status=withdrawn\` lists.

**Within v1**, members, enum values and optional parameters may be added; nothing is removed, renamed or retyped. Ignore members that you do not know, and accept values of an enumeration that may grow (\`x-extensible-enum\`). The [changelog](/docs/changelog) tells what each version added. Every request is safe to retry.`;

/** Of a name in a path. */
const LONGEST_NAME = 64;

/** Licence of the data, not of the code: no single licence covers all figures. */
const LICENCE = 'Each figure has the licence of its source, which meta.sources names';

/** The document at /docs/openapi.json, built from the validating schemas and the error table. */
export function openApiDocument(app: INestApplication, baseUrl: string): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Tidemark')
    .setVersion(newestInterfaceVersion())
    .setDescription(DESCRIPTION)
    .addServer(baseUrl)
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        // By default the framework documents keys as JWTs.
        bearerFormat: 'opaque',
        description: 'A key: `tm_` followed by 36 letters and digits',
      },
      'key',
    )
    .addSecurityRequirements('key');
  for (const { tag, about } of resourcesOf(app.get(DiscoveryService, { strict: false }))) {
    config.addTag(tag, about);
  }
  const document = SwaggerModule.createDocument(app, config.build(), { standardSchemaConverter: convertSchema });
  return completed(document, app.get(ErrorResponses), baseUrl);
}

/** Adds headers, errors with their texts, and examples of real responses. */
function completed(document: OpenAPIObject, errors: ErrorResponses, baseUrl: string): OpenAPIObject {
  const responses: Record<string, object> = {};
  for (const operation of operationsOf(document)) {
    for (const parameter of operation.parameters) readable(parameter);
    addExamples(operation, baseUrl);
    for (const { status, codes, name } of errorResponses(operation[CODES])) {
      responses[name] ??= errorResponse(codes, errors);
      operation.responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  const { components } = convertSchema(ProblemEnvelope, { schemaType: 'output' });
  const schemas = { ...document.components?.schemas, ...components };
  document.components = { ...document.components, schemas, headers: HEADERS, responses } as never;
  document.info.license = { name: LICENCE, url: `${baseUrl}/docs/licences` };
  document.info.contact = { name: 'Tidemark', url: baseUrl };
  for (const server of document.servers ?? []) Object.assign(server, { 'x-internal': false });
  return document;
}

function operationsOf(document: OpenAPIObject): Operation[] {
  return Object.values(document.paths).flatMap((item) => Object.values(item) as Operation[]);
}

/**
 * Shared by all parameters. Swagger UI shows `examples` of an optional parameter but, unlike `example`, does not
 * prefill it.
 */
function readable(parameter: Parameter): void {
  const { schema } = parameter;
  delete schema['description'];
  if (parameter.in === 'path') openSegment(parameter);
  const sample = schema['example'] as string | number | undefined;
  if (sample === undefined) return;
  delete schema['example'];
  if (parameter.in === 'path') parameter.example = sample;
  else {
    schema['examples'] = [sample];
    parameter.description = `${parameter.description ?? ''}, for example \`${String(sample)}\``;
  }
}

/** A name in a path may be one that v1 adds, and a response that contains it has an open type. */
function openSegment({ schema }: Parameter): void {
  if (schema['enum'] === undefined) return;
  schema['x-extensible-enum'] = schema['enum'];
  schema['maxLength'] = LONGEST_NAME;
  delete schema['enum'];
}

function addExamples({ operationId, responses }: Operation, baseUrl: string): void {
  const answer = responses['200'] as { content: Record<string, object> } | undefined;
  const media = answer?.content['application/json'];
  if (media !== undefined) Object.assign(media, { examples: exampleResponses(operationId, baseUrl) });
}
