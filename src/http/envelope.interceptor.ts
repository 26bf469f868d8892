import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { revisionIn } from '../answers/cursors.service.js';
import type { Result } from '../answers/result.js';
import { OPEN } from '../access/open.decorator.js';
import { OWN } from '../access/own.decorator.js';
import { Pulse } from '../database/pulse.js';
import { ApiError } from '../errors/api-error.js';
import type { Answer } from './answer.js';
import { AnswerCache } from './answer-cache.js';
import { answerKey } from './answer-key.js';
import type { ApiRequest } from './api-request.js';
import { making } from './load.js';
import { acceptsJson } from './negotiation.js';
import { OWN_SHAPE } from './own-shape.decorator.js';
import { Presenter } from './presenter.service.js';
import { parseQuery } from './query.js';
import { Responder, requestedLocale, type Sendable } from './respond.service.js';
import { UnknownPathController } from './unknown-path.controller.js';

/**
 * Third of the gate, around validation and handler. The same address asked again within a revision, a day
 * and a plan gets the same bytes, so it is answered before anything is parsed; what is new is made once. An account's
 * own is made anew each time: what is kept is everybody's.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly cache: AnswerCache,
    private readonly pulse: Pulse,
    private readonly presenter: Presenter,
    private readonly responder: Responder,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (this.reflector.get<boolean | undefined>(OPEN, context.getClass()) === true) return next.handle();
    // A path or method that nobody takes is refused as that, whatever else is wrong with the request.
    if (context.getClass() === UnknownPathController) return next.handle();
    if (this.reflector.get<boolean | undefined>(OWN_SHAPE, context.getClass()) === true) return next.handle();
    const request = context.switchToHttp().getRequest<ApiRequest>();
    if (!acceptsJson(request.headers.accept)) throw new ApiError('not_acceptable');
    request.notBefore = revisionIn(cursorIn(request.originalUrl));
    const own = this.reflector.get<boolean | undefined>(OWN, context.getClass()) === true;
    return from(own ? this.answerOwn(request, next) : this.answer(request, next));
  }

  private async answer(request: ApiRequest, next: CallHandler): Promise<Sendable> {
    const key = answerKey(request, this.pulse);
    const answer =
      this.cache.find(key) ??
      (await making(request, () => this.cache.make(key, () => this.present(request, next, false))));
    return this.responder.prepare(request, answer);
  }

  private async answerOwn(request: ApiRequest, next: CallHandler): Promise<Sendable> {
    return this.responder.prepare(request, await making(request, () => this.present(request, next, true)));
  }

  private async present(request: ApiRequest, next: CallHandler, own: boolean): Promise<Answer> {
    const result = (await lastValueFrom(next.handle())) as Result<unknown>;
    return this.presenter.present(result, {
      locale: requestedLocale(request),
      address: request.originalUrl,
      own,
    });
  }
}

function cursorIn(address: string): unknown {
  const start = address.indexOf('?');
  // An escape may stand for a letter of the name.
  if (start < 0 || !/cursor|%/.test(address)) return undefined;
  return parseQuery(address.slice(start + 1))['cursor'];
}
