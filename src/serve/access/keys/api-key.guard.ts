import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../../domain/errors/api-error.js';
import type { ErrorCode } from '../../../domain/errors/errors.js';
import type { Plan } from '../../../domain/plans/plans.js';
import { TAKES_ACCESS_TOKEN } from './access-token.decorator.js';
import { AccessTokenVerifier, isCompactJwt, type TokenResult } from './access-token-verifier.js';
import type { AuthenticationResult } from './caller-lookup.js';
import type { Caller } from './caller.js';
import { TAKES_KEY_HEADER } from './key-header.decorator.js';
import { KeyVerifier } from './key-verifier.js';
import { presentedKey } from './presented-key.js';

/** What the guard needs of the rate limiter. */
export interface FailedAuthHandler {
  /** Counts a failed key against the client's address. @throws ApiError above the address's limit */
  onFailure(request: IncomingMessage): Promise<void>;
  /** The limit headers of an account without a counted request. */
  headersWithNothingLeft(plan: Plan): Readonly<Record<string, string>>;
}

export const FAILED_AUTH_LIMITER = Symbol('FailedAuthHandler');

/** What the guard reads and sets of a request. */
interface GuardedRequest extends IncomingMessage {
  readonly context: { caller?: Caller };
  readonly slot?: { releaseWhile<Made>(work: () => Promise<Made>): Promise<Made> };
}

type Refused = Exclude<AuthenticationResult | TokenResult, { readonly kind: 'caller' | 'suspended' | 'waiting' }>;
const CODES: Readonly<Record<Refused['kind'], ErrorCode>> = {
  unknown: 'invalid_key',
  revoked: 'revoked_key',
  invalid_token: 'invalid_token',
  insufficient_scope: 'insufficient_scope',
  unlinked: 'unlinked_identity',
};

/** Verifies the key or the access token and sets `caller` of the request's context. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: KeyVerifier,
    @Inject(AccessTokenVerifier) private readonly tokens: AccessTokenVerifier | null,
    @Inject(FAILED_AUTH_LIMITER) private readonly failedAuth: FailedAuthHandler,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const marked = (name: string) => this.reflector.get<boolean | undefined>(name, context.getClass()) === true;
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const tokens = marked(TAKES_ACCESS_TOKEN) ? this.tokens : null;
    const { text, contradicted } = presentedKey(request.headers, marked(TAKES_KEY_HEADER));
    if (text === null) throw new ApiError('missing_key', challenged('missing_key', tokens));
    if (contradicted) return this.fail(request, 'invalid_key', tokens);
    const result = await this.verify(request, text, tokens);
    switch (result.kind) {
      case 'caller':
        request.context.caller = result.caller;
        return true;
      case 'suspended':
        request.context.caller = result.caller;
        throw new ApiError('account_suspended', {
          headers: this.failedAuth.headersWithNothingLeft(result.caller.plan),
        });
      case 'waiting':
        throw new ApiError('plan_reach_exceeded', { detail: 'waiting', args: { at: result.until.toISOString() } });
      default:
        return this.fail(request, CODES[result.kind], tokens);
    }
  }

  private verify(
    request: GuardedRequest,
    text: string,
    tokens: AccessTokenVerifier | null,
  ): Promise<AuthenticationResult | TokenResult> {
    const isToken = tokens !== null && isCompactJwt(text);
    const identified = async () => (isToken ? tokens : this.keys).identify(text);
    // A slow provider must not occupy a slot.
    return isToken && request.slot !== undefined ? request.slot.releaseWhile(identified) : identified();
  }

  /** Only failed keys and tokens count against the client's address. */
  private async fail(request: IncomingMessage, code: ErrorCode, tokens: AccessTokenVerifier | null): Promise<never> {
    await this.failedAuth.onFailure(request);
    throw new ApiError(code, challenged(code, tokens));
  }
}

/** Tells a client that speaks OAuth where to get a token. */
function challenged(code: ErrorCode, tokens: AccessTokenVerifier | null) {
  if (tokens === null || code === 'unlinked_identity') return {};
  // RFC 6750 has one code for every credential that is not valid, and none for a request without one.
  const refused = code === 'missing_key' ? undefined : 'invalid_token';
  const error = code === 'insufficient_scope' ? code : refused;
  return { headers: { 'www-authenticate': tokens.challenge(error) } };
}
