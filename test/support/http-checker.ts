import type { ValidateFunction } from 'ajv/dist/2020.js';
import { ERRORS, type ErrorCode } from '../../src/domain/errors/errors.js';
import { ResponseValidator, faultsOf } from '../contract/response-validator.js';
import { operationsOf, type Document } from '../contract/document.js';
import { expandedIn } from './hostile-texts.js';
import { insideOf } from './inside.mjs';

/** The request, as far as its response may repeat it. */
export interface Question {
  readonly method: string;
  readonly target: string;
  /** Headers, a body or bytes. */
  readonly more?: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** The maximum length of an error, whatever the request. */
const LONGEST_REFUSAL = 32_000;

interface Refusal {
  readonly error?: { readonly code?: string };
}

/** Checks responses of the HTTP routes against the published document and the error table. */
export class HttpChecker {
  private readonly closed: ResponseValidator;
  /** Compiled once each. */
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly paths: readonly string[];

  constructor(document: Document) {
    this.closed = new ResponseValidator(document, true);
    this.paths = operationsOf(document)
      .map(({ path }) => path)
      .sort((one, other) => one.split('{').length - other.split('{').length);
  }

  /** The errors of a response; empty if it is correct. */
  faults(asked: Question, { status, text, headers = {} }: Answer): string[] {
    const known = `${asked.target}\n${asked.more ?? ''}`;
    const inside = insideOf(text, known);
    const expanded = expandedIn(text);
    return [
      ...(inside === null ? [] : [`gives the inside away (${inside}): ${text.slice(0, 500)}`]),
      ...(expanded === null ? [] : [`a caller's text was read as a template: ${expanded}`]),
      ...('x-injected' in headers ? ['a caller made a header'] : []),
      ...this.ofForm(asked, status, text),
    ];
  }

  private ofForm({ method, target }: Question, status: number, text: string): string[] {
    if (status >= 500 && status !== 503) return [`a failure of ours: ${text.slice(0, 500)}`];
    if (method === 'HEAD' || status === 304 || status === 204) return text === '' ? [] : ['has a body'];
    const path = this.documentedAt(target);
    // Pages and the document itself are not JSON of an operation.
    if (path === undefined && !target.startsWith('/api')) return [];
    if (!text.startsWith('{')) return [`is no JSON: ${text.slice(0, 200)}`];
    const body = JSON.parse(text) as Refusal;
    if (status === 200) {
      if (path === undefined) return ['answers an address of nothing'];
      const schema = ['get', 'responses', '200', 'content', 'application/json', 'schema'];
      return this.offSchema(body, 'paths', path, ...schema);
    }
    const { code = '' } = body.error ?? {};
    return [
      ...this.offSchema(body, 'components', 'schemas', 'ProblemEnvelope'),
      ...(Object.hasOwn(ERRORS, code) && ERRORS[code as ErrorCode].status === status
        ? []
        : [`${status} is no ${code}`]),
      ...(text.length > LONGEST_REFUSAL ? [`a refusal of ${text.length} characters`] : []),
    ];
  }

  private offSchema(body: unknown, ...pointer: readonly string[]): string[] {
    const name = pointer.join(' ');
    const validate = this.validators.get(name) ?? this.closed.at(...pointer);
    this.validators.set(name, validate);
    return validate(body) ? [] : faultsOf(validate);
  }

  /** The document's path for a URL; a path without a variable precedes one with a variable. */
  private documentedAt(target: string): string | undefined {
    const asked = (target.split('?')[0] ?? '').replace(/\/$/, '').split('/');
    return this.paths.find((path) => {
      const parts = path.split('/');
      return parts.length === asked.length && parts.every((part, at) => part.startsWith('{') || part === asked[at]);
    });
  }
}
