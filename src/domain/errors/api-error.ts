import { ERRORS, type ErrorCode } from './errors.js';

/** The fault of one parameter. `reason` is a key of `messages/<locale>/parameters.json`. */
export interface ParameterFault {
  readonly parameter: string;
  readonly reason: string;
  readonly args?: Readonly<Record<string, string | number>>;
  /** The closed set, or the nearest known values, if there are any. */
  readonly allowed?: readonly string[];
}

type ParameterText = keyof typeof import('../locale/messages/en/parameters.json');
/** What a path segment names, as keys of `messages/<locale>/parameters.json`. */
export type NotFoundReason = Extract<ParameterText, `no_${string}` | 'instrument_not_stored'>;

export interface ApiErrorDetails {
  /** A key of `messages/<locale>/errors.json` below the code: a more exact sentence than the code's own. */
  readonly detail?: string;
  readonly args?: Readonly<Record<string, string | number>>;
  readonly faults?: readonly ParameterFault[];
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The only exception for callers: a code of the error table. The error filter adds the texts. */
export class ApiError extends Error {
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    readonly details: ApiErrorDetails = {},
    options?: ErrorOptions,
  ) {
    super(code, options);
    this.name = 'ApiError';
    this.status = ERRORS[code].status;
  }
}

export function invalidParameter(fault: ParameterFault): ApiError {
  return new ApiError('invalid_parameter', { faults: [fault] });
}

/** 404 for the object that a path segment names, with the nearest names. */
export function notFound(
  parameter: string,
  reason: NotFoundReason,
  sent: string,
  near: readonly string[] = [],
): ApiError {
  const allowed = near.length === 0 ? {} : { allowed: near };
  return new ApiError('not_found', { faults: [{ parameter, reason, args: { name: shortened(sent) }, ...allowed }] });
}

const SHOWN = 64;

/** The caller's text as an error repeats it: one line, shortened. */
export function shortened(sent: string): string {
  // The cut may leave a lone surrogate, which this removes too.
  const line = sent.slice(0, SHOWN).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ');
  return sent.length <= SHOWN ? line : `${line}…`;
}
