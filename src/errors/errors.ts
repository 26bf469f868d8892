/**
 * THE error table: every way in which a request can fail. The code is the contract with clients, the
 * title and the page's words live in `locale/messages/<locale>/errors.json` under the same code, and the
 * pages under `/docs/errors` and the OpenAPI responses are made from this table.
 */
export interface ErrorDefinition {
  /** HTTP status. */
  readonly status: number;
  /** Whether the answer carries `retry-after`. */
  readonly retryAfter: boolean;
  /** What a client should do: try the same again later, or change something first. */
  readonly remedy: 'retry' | 'change_request' | 'change_key' | 'change_plan' | 'none';
}

export const ERRORS = {
  malformed_request: { status: 400, retryAfter: false, remedy: 'change_request' },
  invalid_parameter: { status: 400, retryAfter: false, remedy: 'change_request' },
  invalid_cursor: { status: 400, retryAfter: false, remedy: 'change_request' },
  key_in_query: { status: 400, retryAfter: false, remedy: 'change_request' },
  missing_key: { status: 401, retryAfter: false, remedy: 'change_key' },
  invalid_key: { status: 401, retryAfter: false, remedy: 'change_key' },
  revoked_key: { status: 401, retryAfter: false, remedy: 'change_key' },
  account_suspended: { status: 403, retryAfter: false, remedy: 'none' },
  origin_not_allowed: { status: 403, retryAfter: false, remedy: 'change_request' },
  plan_reach_exceeded: { status: 403, retryAfter: false, remedy: 'change_plan' },
  not_found: { status: 404, retryAfter: false, remedy: 'change_request' },
  method_not_allowed: { status: 405, retryAfter: false, remedy: 'change_request' },
  not_acceptable: { status: 406, retryAfter: false, remedy: 'change_request' },
  withdrawn: { status: 410, retryAfter: false, remedy: 'none' },
  body_too_large: { status: 413, retryAfter: false, remedy: 'change_request' },
  uri_too_long: { status: 414, retryAfter: false, remedy: 'change_request' },
  unsupported_media_type: { status: 415, retryAfter: false, remedy: 'change_request' },
  minute_limit_exceeded: { status: 429, retryAfter: true, remedy: 'retry' },
  day_limit_exceeded: { status: 429, retryAfter: true, remedy: 'retry' },
  too_many_failed_attempts: { status: 429, retryAfter: true, remedy: 'retry' },
  headers_too_large: { status: 431, retryAfter: false, remedy: 'change_request' },
  internal_error: { status: 500, retryAfter: false, remedy: 'retry' },
  unavailable: { status: 503, retryAfter: true, remedy: 'retry' },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];
