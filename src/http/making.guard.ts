import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { OWN } from '../access/own.decorator.js';
import { Pulse } from '../database/pulse.js';
import { ApiError } from '../errors/api-error.js';
import { AnswerCache } from './answer-cache.js';
import { answerKey } from './answer-key.js';
import type { ApiRequest } from './api-request.js';
import { Load } from './load.js';
import { OWN_SHAPE } from './own-shape.decorator.js';
import { UnknownPathController } from './unknown-path.controller.js';

/**
 * Between identifying and admitting: while too many answers are being made anew, only those that are kept are given,
 * and what is refused costs no request of the plan.
 */
@Injectable()
export class MakingGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly load: Load,
    private readonly cache: AnswerCache,
    private readonly pulse: Pulse,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    if (!this.load.answers.isFull()) return true;
    if (this.costsLittle(context.switchToHttp().getRequest<ApiRequest>(), context)) return true;
    this.load.answers.refuse();
    throw new ApiError('unavailable', { detail: 'busy', retryAfterSeconds: 1 });
  }

  private costsLittle(request: ApiRequest, context: ExecutionContext): boolean {
    const type = context.getClass();
    // Pages, and what is refused anyway.
    if (request.caller === undefined || request.isFree === true || type === UnknownPathController)
      return true;
    // A tool's answers are kept under what its arguments mean, which nobody has looked at yet.
    if (this.is(OWN, type) || this.is(OWN_SHAPE, type)) return false;
    return this.cache.find(answerKey(request, this.pulse)) !== undefined;
  }

  private is(mark: string | symbol, type: ReturnType<ExecutionContext['getClass']>): boolean {
    return this.reflector.get<boolean | undefined>(mark, type) === true;
  }
}
