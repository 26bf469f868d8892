import { ERRORS, type ErrorCode } from './errors.js';

/** What is wrong with one parameter. `reason` is a key of `messages/<locale>/parameters.json`. */
export interface ParameterFault {
  readonly parameter: string;
  readonly reason: string;
  readonly args?: Readonly<Record<string, string | number>>;
  /** The closed set, or the nearest known values, where there is one. */
  readonly allowed?: readonly string[];
}

export interface ApiErrorDetails {
  /** A key of `messages/<locale>/errors.json` below the code: a more exact sentence than the code's own. */
  readonly detail?: string;
  readonly args?: Readonly<Record<string, string | number>>;
  readonly faults?: readonly ParameterFault[];
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The one exception that is meant for the caller: a code of the error table, put into words where it leaves. */
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
