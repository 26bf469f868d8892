import type { OpenAPIObject } from '@nestjs/swagger';
import { ownMember } from '../../../domain/names/own-member.js';

interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: string;
  readonly schema: {
    readonly examples?: readonly (string | number)[];
    readonly default?: string | number;
    readonly enum?: readonly string[];
  };
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
}

interface Remembered {
  /** The operation whose answer has a value that the data is sure to contain. */
  readonly from: string;
  /** Where it is in the answer, as an expression of Postman's scripts. */
  readonly at: string;
}

/** Path parameters whose values depend on the data: a request for a list remembers one for the request of it. */
const REMEMBERED: Readonly<Record<string, Remembered>> = {
  getChange: { from: 'listChanges', at: 'data[0].id' },
  getSignal: { from: 'searchByWords', at: 'data[0].id' },
  getCompany: { from: 'listCompanies', at: 'data[0].slug' },
  getStructure: { from: 'getCompany', at: 'data.entityId' },
  getAhead: { from: 'listAhead', at: 'data[0].id' },
  getBrief: { from: 'getLatestBrief', at: 'data.date' },
};

/** Optional parameters that a request needs for an answer with content. */
const SENT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  searchByWords: { q: 'inflation', type: 'signal' },
  listAhead: { from: '{{halfAYearAgo}}', to: '{{inHalfAYear}}' },
};

const HALF_A_YEAR = `const day = (days) => new Date(Date.now() + days * 864e5).toISOString().slice(0, 10);
pm.collectionVariables.set('halfAYearAgo', day(-180));
pm.collectionVariables.set('inHalfAYear', day(180));`;

/** A collection for Postman and what reads its format: one request an operation, optional parameters switched off. */
export function postmanCollection(document: OpenAPIObject, baseUrl: string): unknown {
  const operations = Object.entries(document.paths).map(([path, { get }]): [string, Operation] => [
    path,
    get as unknown as Operation,
  ]);
  const ordered = operations.sort(([, one], [, other]) => Number(isLater(one)) - Number(isLater(other)));
  const folders = (document.tags ?? []).map(({ name, description }) => ({
    name,
    description,
    item: ordered
      .filter(([, { tags }]) => tags.includes(name))
      .map(([path, operation]) => request(path, operation)),
  }));
  return {
    info: {
      name: 'Tidemark',
      version: document.info.version,
      description:
        'Set the variable `key`. Run the collection in its order: a request for one thing takes it from a list.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: baseUrl },
      { key: 'key', value: '' },
    ],
    // A search leads to a signal, and comes before it.
    item: folders.sort((one, other) => Number(one.name === 'Signals') - Number(other.name === 'Signals')),
  };
}

const isLater = ({ operationId }: Operation): boolean => Object.hasOwn(REMEMBERED, operationId);

function request(path: string, { operationId, summary, description, parameters }: Operation): unknown {
  const sent = ownMember(SENT, operationId) ?? {};
  const query = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema, required, description: text }) => ({
      key: name,
      value:
        ownMember(sent, name) ?? String(schema.examples?.[0] ?? schema.default ?? schema.enum?.[0] ?? ''),
      description: text,
      disabled: required !== true && !Object.hasOwn(sent, name),
    }));
  const variable = parameters
    .filter((one) => one.in === 'path')
    .map(({ name, example, description: text }) => ({
      key: name,
      value: isLater({ operationId } as Operation) ? `{{${operationId}}}` : example,
      description: text,
    }));
  const segments = path.split('/').filter(Boolean);
  return {
    name: summary,
    request: {
      method: 'GET',
      description,
      url: {
        raw: `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        host: ['{{baseUrl}}'],
        path: segments.map((one) => one.replace(/^\{(\w+)\}$/, ':$1')),
        query,
        variable,
      },
    },
    event: [
      ...(operationId === 'listAhead' ? [script('prerequest', HALF_A_YEAR)] : []),
      ...Object.entries(REMEMBERED)
        .filter(([, { from }]) => from === operationId)
        .map(([name, { at }]) =>
          script('test', `pm.collectionVariables.set('${name}', pm.response.json().${at});`),
        ),
    ],
  };
}

const script = (listen: 'prerequest' | 'test', text: string) => ({
  listen,
  script: { type: 'text/javascript', exec: text.split('\n') },
});
