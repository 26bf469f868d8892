import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import type { ErrorCode } from '../errors/errors.js';
import type { Plan } from '../plans/plans.js';
import { KeyRing } from './key-ring.js';
import type { Caller } from './call-context.js';
import { TAKES_KEY_HEADER } from './key-header.decorator.js';
import { OPEN } from './open.decorator.js';

/** What the limits have to say where a key is refused. */
export interface Refusals {
  /** Counts a key that failed against its client's address. @throws ApiError past the address's limit */
  refuse(request: IncomingMessage): Promise<void>;
  /** The limit headers of an account that is known and admitted nothing. */
  headersWithNothingLeft(plan: Plan): Readonly<Record<string, string>>;
}

export const REFUSALS = Symbol('Refusals');

/** First of the gate: whose key is this? Leaves the caller on the request. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: KeyRing,
    @Inject(REFUSALS) private readonly refusals: Refusals,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.get<boolean | undefined>(OPEN, context.getClass()) === true) return true;
    const request = context.switchToHttp().getRequest<IncomingMessage & { caller?: Caller }>();
    const takesHeader =
      this.reflector.get<boolean | undefined>(TAKES_KEY_HEADER, context.getClass()) === true;
    const { text, contradicted } = presented(request, takesHeader);
    if (text === null) throw new ApiError('missing_key');
    if (contradicted) return this.fail(request, 'invalid_key');
    const identity = await this.keys.identify(text);
    switch (identity.kind) {
      case 'caller':
        request.caller = identity.caller;
        return true;
      case 'suspended':
        request.caller = identity.caller;
        throw new ApiError('account_suspended', {
          headers: this.refusals.headersWithNothingLeft(identity.caller.plan),
        });
      case 'revoked':
        return this.fail(request, 'revoked_key');
      case 'unknown':
        return this.fail(request, 'invalid_key');
    }
  }

  /** Only a key that fails counts against its address: a good one is served from anywhere. */
  private async fail(request: IncomingMessage, code: ErrorCode): Promise<never> {
    await this.refusals.refuse(request);
    throw new ApiError(code);
  }
}

/** The key as sent; with the second header it may come there too, and must then be the same in both. */
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
