import type { Reply, TestServer } from '../support/server.js';

export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly required: boolean;
  readonly description?: string;
  readonly example?: string;
  readonly schema: Schema & {
    readonly type: string;
    readonly enum?: readonly string[];
    readonly default?: string | number;
    readonly minimum?: number;
    readonly maximum?: number;
    readonly minLength?: number;
    readonly maxLength?: number;
    readonly pattern?: string;
    readonly format?: string;
    readonly examples?: readonly string[];
  };
}

export interface Media {
  readonly schema: Schema;
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

export interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: { readonly 'application/json': Media };
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-error-codes': readonly string[];
  readonly 'x-mcp-tools'?: readonly string[];
}

export interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly tags: readonly { readonly name: string }[];
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, Schema>>;
  };
}

/** An operation with its path as in the document: `/api/v1/changes/{id}`. */
export interface Documented {
  readonly path: string;
  readonly operation: Operation;
}

export async function readDocument(service: TestServer): Promise<Document> {
  const reply = await service.get('/docs/openapi.json', null);
  return JSON.parse(reply.text) as Document;
}

export function operationsOf(document: Document): Documented[] {
  return Object.entries(document.paths).map(([path, { get }]) => ({ path, operation: get }));
}

/** Parameters that another parameter requires. */
const COMPANIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  minus: { series: 'us-par-yield-10y' },
  per: { series: 'gdp@US' },
  times: { series: 'gdp@US' },
  aggregate: { frequency: 'M' },
  base: { transform: 'index' },
  transform: { series: 'gdp-growth@JP' },
};

/** The URL of an operation, with the document's own examples for its path and required parameters. */
export function addressOf({ path, operation }: Documented, query: Readonly<Record<string, string>> = {}): string {
  const filled = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(example ?? '')), path);
  const required = operation.parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema }): [string, string] => [name, schema.examples?.[0] ?? '']);
  const ranks = operation.parameters.some(({ name }) => name === 'rank');
  const ofMacro = { limit: { rank: 'highest' }, vintages: { region: 'JP' } };
  const needed: typeof COMPANIONS = ranks ? { ...COMPANIONS, ...ofMacro } : COMPANIONS;
  const companions = Object.keys(query).flatMap((name) => Object.entries(needed[name] ?? {}));
  const search = new URLSearchParams({ ...Object.fromEntries([...required, ...companions]), ...query }).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

export function responseOf(document: Document, operation: Operation, status: number): Response {
  const response = operation.responses[status];
  const name = response?.$ref?.split('/').at(-1);
  const found = name === undefined ? response : document.components.responses[name];
  if (found === undefined) throw new Error(`${operation.operationId} documents no ${status}`);
  return found;
}

/** Requests that produce every shape of an operation's response: each parameter alone, with its examples. */
export function questionsOf(documented: Documented): string[] {
  const optional = documented.operation.parameters.filter((parameter) => parameter.in === 'query');
  const alone = optional.flatMap(({ name, schema }) =>
    (schema.enum ?? schema.examples ?? []).map((value) => addressOf(documented, { [name]: value })),
  );
  return [addressOf(documented), ...alone];
}

/** Every named member of a JSON value, at any depth. */
export function* membersOf(value: unknown): Generator<readonly [string, unknown]> {
  if (Array.isArray(value)) for (const one of value) yield* membersOf(one);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      yield [name, member];
      yield* membersOf(member);
    }
  }
}

export type { Reply };
