import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { AccessError } from '../accounts/access-error.js';

/** Writes a line for the operator. */
export type WarnOperator = (message: string, fields: object) => void;

const RETRY_AFTER_SECONDS = 5;
/** The library's codes for a provider that does not respond as one: time-outs, error pages, other formats. */
const AWAY = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

export function unavailable(): AccessError {
  return new AccessError('The OpenID provider does not respond', {
    code: 'sso_unavailable',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** The refusal for a failed exchange with the provider. The operator reads codes only: causes contain tokens. */
export function providerFailure(error: unknown, warn: WarnOperator): AccessError {
  if (error instanceof AccessError) return error;
  if (error instanceof AuthorizationResponseError && error.error === 'access_denied') {
    return new AccessError('The sign-in was cancelled at the provider', { code: 'sso_cancelled' });
  }
  warn('single sign-on failed', { reason: describe(error) });
  // `providerFetch` throws a TypeError if it cannot connect.
  const isAway = error instanceof TypeError || (error instanceof ClientError && AWAY.has(error.code ?? ''));
  const isBroken = error instanceof ResponseBodyError && error.status >= 500;
  if (isAway || isBroken) return unavailable();
  return new AccessError('The response of the OpenID provider is not valid', { code: 'sso_failed' });
}

function describe(error: unknown): string {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return `the provider responds with ${error.error.replaceAll(/[^\w.-]/g, '?').slice(0, 64)}`;
  }
  if (error instanceof ClientError) return `${error.message} (${error.code ?? 'no code'})`;
  return error instanceof Error ? error.message : 'unknown';
}
