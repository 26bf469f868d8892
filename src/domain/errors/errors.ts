/**
 * THE error table: every way in which a request can fail. The code is the contract with clients.
 * `locale/messages/<locale>/errors.json` has the texts under the same code; the pages under `/docs/errors` and the
 * OpenAPI responses are generated from this table.
 */
export interface ErrorDefinition {
  /** HTTP status. */
  readonly status: number;
  /** Whether the response has `retry-after`. */
  readonly retryAfter: boolean;
  /** What a client should do: retry later, or change something first. */
  readonly remedy: 'retry' | 'change_request' | 'change_key' | 'change_plan' | 'none';
  /** On every route before the account's limits are checked, on every route after that, or on routes that name it. */
  readonly met: 'before_limits' | 'every_route' | 'some_routes';
}

export const ERRORS = {
  malformed_request: { status: 400, retryAfter: false, remedy: 'change_request', met: 'before_limits' },
  invalid_parameter: { status: 400, retryAfter: false, remedy: 'change_request', met: 'every_route' },
  invalid_cursor: { status: 400, retryAfter: false, remedy: 'change_request', met: 'some_routes' },
  key_in_query: { status: 400, retryAfter: false, remedy: 'change_request', met: 'before_limits' },
  missing_key: { status: 401, retryAfter: false, remedy: 'change_key', met: 'before_limits' },
  invalid_key: { status: 401, retryAfter: false, remedy: 'change_key', met: 'before_limits' },
  revoked_key: { status: 401, retryAfter: false, remedy: 'change_key', met: 'before_limits' },
  invalid_token: { status: 401, retryAfter: false, remedy: 'change_key', met: 'some_routes' },
  insufficient_scope: { status: 403, retryAfter: false, remedy: 'change_key', met: 'some_routes' },
  unlinked_identity: { status: 403, retryAfter: false, remedy: 'none', met: 'some_routes' },
  account_suspended: { status: 403, retryAfter: false, remedy: 'none', met: 'every_route' },
  origin_not_allowed: { status: 403, retryAfter: false, remedy: 'change_request', met: 'some_routes' },
  plan_reach_exceeded: { status: 403, retryAfter: false, remedy: 'change_plan', met: 'some_routes' },
  not_found: { status: 404, retryAfter: false, remedy: 'change_request', met: 'every_route' },
  method_not_allowed: { status: 405, retryAfter: false, remedy: 'change_request', met: 'every_route' },
  not_acceptable: { status: 406, retryAfter: false, remedy: 'change_request', met: 'every_route' },
  withdrawn: { status: 410, retryAfter: false, remedy: 'none', met: 'some_routes' },
  body_too_large: { status: 413, retryAfter: false, remedy: 'change_request', met: 'some_routes' },
  uri_too_long: { status: 414, retryAfter: false, remedy: 'change_request', met: 'before_limits' },
  unsupported_media_type: { status: 415, retryAfter: false, remedy: 'change_request', met: 'some_routes' },
  minute_limit_exceeded: { status: 429, retryAfter: true, remedy: 'retry', met: 'every_route' },
  day_limit_exceeded: { status: 429, retryAfter: true, remedy: 'retry', met: 'every_route' },
  too_many_failed_attempts: { status: 429, retryAfter: true, remedy: 'retry', met: 'before_limits' },
  address_limit_exceeded: { status: 429, retryAfter: true, remedy: 'retry', met: 'some_routes' },
  headers_too_large: { status: 431, retryAfter: false, remedy: 'change_request', met: 'before_limits' },
  internal_error: { status: 500, retryAfter: false, remedy: 'retry', met: 'every_route' },
  unavailable: { status: 503, retryAfter: true, remedy: 'retry', met: 'before_limits' },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];
