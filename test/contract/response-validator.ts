import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Document } from './document.js';

const FORMATS: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  uri: /^https?:\/\/[^\s]+$/,
};

/** The largest absolute value of an integer type in typed clients; here a double must contain it too. */
const WIDTHS = { int32: 2 ** 31 - 1, int64: Number.MAX_SAFE_INTEGER };

/** A validator that is independent of the schemas' library: it knows only the published document. */
export class ResponseValidator {
  private readonly ajv: Ajv2020;

  /** `closed`: a member that the document does not name is an error. */
  constructor(document: Document, closed: boolean) {
    this.ajv = new Ajv2020({ allErrors: true, strict: false });
    // An open enumeration is a string to clients; the service itself sends only the values of the document.
    this.ajv.addKeyword({
      keyword: 'x-extensible-enum',
      validate: (values: readonly string[], value: unknown) => value === null || values.includes(value as string),
    });
    for (const [name, form] of Object.entries(FORMATS)) this.ajv.addFormat(name, form);
    for (const [name, most] of Object.entries(WIDTHS)) {
      this.ajv.addFormat(name, { type: 'number', validate: (value) => Math.abs(value) <= most });
    }
    this.ajv.addSchema((closed ? close(document) : document) as object, 'document');
  }

  /** @throws if the schema at the pointer does not compile. */
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

/** The errors of the last validated body, one line each. */
export function faultsOf({ errors }: ValidateFunction): string[] {
  return (errors ?? []).map(
    ({ instancePath, message, params }: ErrorObject) => `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
  );
}

/** The same document, in which no object accepts members that it does not name. */
function close(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(close);
  if (typeof value !== 'object' || value === null) return value;
  const node = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, close(member)]));
  const isObject = node['type'] === 'object' && node['properties'] !== undefined;
  return isObject ? { additionalProperties: false, ...node } : node;
}
