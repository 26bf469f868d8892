import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import type { ErrorCode } from '../errors/errors.js';
import { KeyRing } from './key-ring.js';
import type { Caller } from './call-context.js';
import { OPEN } from './open.decorator.js';

/** Who may refuse: given the caller's address when a key fails. */
export interface Refusals {
  refuse(request: IncomingMessage): Promise<void>;
}

export const REFUSALS = Symbol('Refusals');

/** First of the gate: whose key is this? Leaves the caller on the request. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: KeyRing,
    @Inject(REFUSALS) private readonly failedAttempts: Refusals,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.get<boolean | undefined>(OPEN, context.getClass()) === true) return true;
    const request = context.switchToHttp().getRequest<IncomingMessage & { caller?: Caller }>();
    const text = bearer(request.headers.authorization);
    if (text === null) throw new ApiError('missing_key');
    const identity = await this.keys.identify(text);
    switch (identity.kind) {
      case 'caller':
        request.caller = identity.caller;
        return true;
      case 'suspended':
        throw new ApiError('account_suspended');
      case 'revoked':
        return this.fail(request, 'revoked_key');
      case 'unknown':
        return this.fail(request, 'invalid_key');
    }
  }

  /** Only a key that fails counts against its address: a good one is served from anywhere. */
  private async fail(request: IncomingMessage, code: ErrorCode): Promise<never> {
    await this.failedAttempts.refuse(request);
    throw new ApiError(code);
  }
}

/** The token of `Authorization: Bearer <token>`, the scheme in any case; null when there is none. */
function bearer(header: string | undefined): string | null {
  const [, token] = /^bearer +(\S.*)$/i.exec(header?.trim() ?? '') ?? [];
  return token?.trim() ?? null;
}
