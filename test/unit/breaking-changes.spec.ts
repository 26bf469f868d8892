import { breakingChanges } from '../contract/breaking-changes.js';

type Json = Record<string, unknown>;

const INDICATOR = {
  type: 'object',
  required: ['slug', 'name', 'baseYear'],
  properties: {
    slug: { type: 'string' },
    name: { type: 'string' },
    baseYear: { type: ['integer', 'null'], format: 'int64' },
    note: { type: 'string' },
    frequency: { type: 'string', 'x-extensible-enum': ['A', 'Q'] },
    status: { type: 'string', enum: ['verified', 'corrected'] },
    regions: { type: 'array', items: { type: 'string' } },
    counts: { type: 'object', additionalProperties: { type: 'integer' } },
    parent: { anyOf: [{ $ref: '#/components/schemas/Parent' }, { type: 'null' }] },
  },
};

/** A small document; `change` edits a copy of it. */
function documentWith(change: (parts: Record<'operation' | 'schema' | 'schemas' | 'paths', Json>) => void) {
  const schema = structuredClone(INDICATOR) as Json;
  const schemas: Json = { Indicator: schema, Parent: { type: 'object', properties: {} } };
  const operation: Json = {
    operationId: 'getMacroSeries',
    parameters: [
      { in: 'path', name: 'indicator', required: true, schema: { type: 'string', maxLength: 64 } },
      { in: 'query', name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
      { in: 'query', name: 'rank', schema: { type: 'string', enum: ['highest', 'lowest'] } },
    ],
    responses: {
      '200': {
        headers: { ETag: {} },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Indicator' } } },
      },
      '404': { $ref: '#/components/responses/Error404' },
    },
  };
  const paths: Json = { '/macro/{indicator}': { get: operation } };
  change({ operation, schema, schemas, paths });
  return { paths, components: { schemas, responses: { Error404: { content: {} } } } };
}

const parameter = (operation: Json, name: string) =>
  (operation['parameters'] as (Json & { schema: Json })[]).find((one) => one['name'] === name)!;
const member = (schema: Json, name: string) => (schema['properties'] as Record<string, Json>)[name]!;
const judged = (change: Parameters<typeof documentWith>[0]) =>
  breakingChanges(
    documentWith(() => undefined),
    documentWith(change),
  );

const AT = 'GET /macro/{indicator}';

describe('The comparison of two interfaces', () => {
  it.each<[string, Parameters<typeof documentWith>[0], string]>([
    ['a path', ({ paths }) => delete paths['/macro/{indicator}'], `${AT} is removed`],
    [
      'the name of an operation',
      ({ operation }) => (operation['operationId'] = 'getSeries'),
      `${AT} is renamed to getSeries`,
    ],
    ['a response', ({ operation }) => delete (operation['responses'] as Json)['404'], `${AT}: response 404 is removed`],
    [
      'a response header',
      ({ operation }) => delete (operation['responses'] as Record<string, { headers: Json }>)['200']!.headers['ETag'],
      `${AT}: header ETag of 200 is removed`,
    ],
    [
      'the schema of a response',
      ({ operation }) =>
        ((operation['responses'] as Record<string, Json>)['200']!['content'] = {
          'application/json': { schema: { $ref: '#/components/schemas/Parent' } },
        }),
      `${AT} 200 is retyped: $ref`,
    ],
    ['a schema', ({ schemas }) => delete schemas['Parent'], 'schema Parent is removed'],
    ['a member', ({ schema }) => delete (schema['properties'] as Json)['note'], 'Indicator.note is removed'],
    [
      'the promise that a member is there',
      ({ schema }) => (schema['required'] = ['slug', 'name']),
      'Indicator.baseYear may be missing',
    ],
    [
      'the type of a member',
      ({ schema }) => (member(schema, 'name')['type'] = ['string', 'null']),
      'Indicator.name is retyped: type',
    ],
    [
      'the format of a member',
      ({ schema }) => (member(schema, 'baseYear')['format'] = 'int32'),
      'Indicator.baseYear is retyped: format',
    ],
    [
      'the items of a list',
      ({ schema }) => (member(schema, 'regions')['items'] = { type: 'integer' }),
      'Indicator.regions[] is retyped: type',
    ],
    [
      'the values of a map',
      ({ schema }) => (member(schema, 'counts')['additionalProperties'] = { type: 'number' }),
      'Indicator.counts{} is retyped: type',
    ],
    [
      'a choice',
      ({ schema }) => (member(schema, 'parent')['anyOf'] = [{ $ref: '#/components/schemas/Parent' }]),
      'Indicator.parent is retyped: anyOf',
    ],
    [
      'a value of an open enumeration',
      ({ schema }) => (member(schema, 'frequency')['x-extensible-enum'] = ['A']),
      'Indicator.frequency no longer has Q',
    ],
    [
      'a closed enumeration',
      ({ schema }) => (member(schema, 'status')['enum'] = ['verified', 'corrected', 'doubtful']),
      'Indicator.status is retyped: enum',
    ],
    [
      'a parameter',
      ({ operation }) => (operation['parameters'] as unknown[]).pop(),
      `${AT}: parameter rank is removed`,
    ],
    [
      'that a parameter is optional',
      ({ operation }) => (parameter(operation, 'rank')['required'] = true),
      `${AT}: parameter rank is required`,
    ],
    [
      'a value of a parameter',
      ({ operation }) => (parameter(operation, 'rank').schema['enum'] = ['highest']),
      `${AT}: parameter rank refuses lowest`,
    ],
    [
      'the largest value of a parameter',
      ({ operation }) => (parameter(operation, 'limit').schema['maximum'] = 50),
      `${AT}: parameter limit accepts less: maximum 50`,
    ],
    [
      'the smallest value of a parameter',
      ({ operation }) => (parameter(operation, 'limit').schema['minimum'] = 5),
      `${AT}: parameter limit accepts less: minimum 5`,
    ],
    [
      'the length of a parameter that had no bound',
      ({ operation }) => (parameter(operation, 'indicator').schema['minLength'] = 3),
      `${AT}: parameter indicator accepts less: minLength 3`,
    ],
    [
      'what a parameter means when it is left out',
      ({ operation }) => (parameter(operation, 'limit').schema['default'] = 10),
      `${AT}: parameter limit has another default`,
    ],
  ])('refuses to change %s', (_what, change, refused) => {
    expect(judged(change)).toEqual([refused]);
  });

  it('refuses a new parameter that is required', () => {
    const added = { in: 'query', name: 'asOf', required: true, schema: { type: 'string' } };
    expect(judged(({ operation }) => (operation['parameters'] as unknown[]).push(added))).toEqual([
      `${AT}: parameter asOf is required`,
    ]);
  });

  it('allows paths, members, open values, optional parameters and wider bounds to be added', () => {
    const faults = judged(({ paths, schema, operation }) => {
      paths['/topics'] = { get: { operationId: 'listTopics' } };
      (schema['properties'] as Json)['unit'] = { type: 'string' };
      (schema['required'] as string[]).push('unit');
      member(schema, 'frequency')['x-extensible-enum'] = ['A', 'H', 'Q'];
      member(schema, 'name')['description'] = 'Another text';
      (operation['parameters'] as unknown[]).push({ in: 'query', name: 'asOf', schema: { type: 'string' } });
      Object.assign(parameter(operation, 'limit').schema, { minimum: 0, maximum: 200 });
      (parameter(operation, 'rank').schema['enum'] as string[]).push('middle');
    });
    expect(faults).toEqual([]);
  });
});
