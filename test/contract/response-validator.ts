import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Document } from './document.js';

const FORMATS: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  uri: /^https?:\/\/[^\s]+$/,
};

/** How wide a whole number is, for clients in typed languages; here a double must carry it too. */
const WIDTHS = { int32: 2 ** 31 - 1, int64: Number.MAX_SAFE_INTEGER };

/** A validator that has nothing to do with the schemas' library: it knows the published document only. */
export class ResponseValidator {
  private readonly ajv: Ajv2020;

  /** `closed`: a member that the document does not name is a fault. */
  constructor(document: Document, closed: boolean) {
    this.ajv = new Ajv2020({ allErrors: true, strict: false });
    for (const [name, form] of Object.entries(FORMATS)) this.ajv.addFormat(name, form);
    for (const [name, most] of Object.entries(WIDTHS)) {
      this.ajv.addFormat(name, { type: 'number', validate: (value) => Math.abs(value) <= most });
    }
    this.ajv.addSchema((closed ? close(document) : document) as object, 'document');
  }

  /** @throws where the schema at the pointer cannot be compiled. */
  at(...pointer: readonly string[]): ValidateFunction {
    const path = pointer.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'));
    const $ref = `document#/${path.map(encodeURIComponent).join('/')}`;
    return this.ajv.compile({ $ref });
  }

  faults(body: unknown, ...pointer: readonly string[]): string[] {
    const validate = this.at(...pointer);
    return validate(body) ? [] : faultsOf(validate);
  }
}

/** What the last body that a validator saw has wrong, one line each. */
export function faultsOf({ errors }: ValidateFunction): string[] {
  return (errors ?? []).map(
    ({ instancePath, message, params }: ErrorObject) =>
      `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
  );
}

/** The same document, in which no object takes a member that it does not name. */
function close(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(close);
  if (typeof value !== 'object' || value === null) return value;
  const node = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, close(member)]));
  const isObject = node['type'] === 'object' && node['properties'] !== undefined;
  return isObject ? { additionalProperties: false, ...node } : node;
}
