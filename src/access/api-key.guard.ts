import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import type { ErrorCode } from '../errors/errors.js';
import type { Plan } from '../plans/plans.js';
import { KeyVerifier } from './key-verifier.js';
import type { Caller } from './caller.js';
import { TAKES_KEY_HEADER } from './key-header.decorator.js';
import { PUBLIC } from './public.decorator.js';

/** What the guard needs of the rate limiter. */
export interface FailedAuthHandler {
  /** Counts a failed key against the client's address. @throws ApiError above the address's limit */
  onFailure(request: IncomingMessage): Promise<void>;
  /** The limit headers of an account without a counted request. */
  headersWithNothingLeft(plan: Plan): Readonly<Record<string, string>>;
}

export const FAILED_AUTH_LIMITER = Symbol('FailedAuthHandler');

/** The first guard: verifies the key and sets `caller` of the request's context. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: KeyVerifier,
    @Inject(FAILED_AUTH_LIMITER) private readonly failedAuth: FailedAuthHandler,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.get<boolean | undefined>(PUBLIC, context.getClass()) === true) return true;
    const request = context
      .switchToHttp()
      .getRequest<IncomingMessage & { readonly context: { caller?: Caller } }>();
    const takesHeader =
      this.reflector.get<boolean | undefined>(TAKES_KEY_HEADER, context.getClass()) === true;
    const { text, contradicted } = presented(request, takesHeader);
    if (text === null) throw new ApiError('missing_key');
    if (contradicted) return this.fail(request, 'invalid_key');
    const identity = await this.keys.identify(text);
    switch (identity.kind) {
      case 'caller':
        request.context.caller = identity.caller;
        return true;
      case 'suspended':
        request.context.caller = identity.caller;
        throw new ApiError('account_suspended', {
          headers: this.failedAuth.headersWithNothingLeft(identity.caller.plan),
        });
      case 'revoked':
        return this.fail(request, 'revoked_key');
      case 'unknown':
        return this.fail(request, 'invalid_key');
    }
  }

  /** Only failed keys count against the client's address. */
  private async fail(request: IncomingMessage, code: ErrorCode): Promise<never> {
    await this.failedAuth.onFailure(request);
    throw new ApiError(code);
  }
}

/** The key as sent. If both headers carry one, they must be equal. */
function presented({ headers }: IncomingMessage, takesHeader: boolean) {
  const token = bearer(headers.authorization);
  const sent = takesHeader ? headers['x-api-key'] : undefined;
  const other = typeof sent === 'string' && sent.trim() !== '' ? sent.trim() : null;
  return { text: token ?? other, contradicted: token !== null && other !== null && token !== other };
}

/** The token of `Authorization: Bearer <token>`, the scheme in any case; null when there is none. */
function bearer(header: string | undefined): string | null {
  const [, token] = /^bearer +(\S.*)$/i.exec(header?.trim() ?? '') ?? [];
  return token?.trim() ?? null;
}
