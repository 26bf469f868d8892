import { Inject, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerRequest } from '@nestjs/throttler';
import type { ServerResponse } from 'node:http';
import { RequestCounter, type CountableRequest } from './request-counter.js';

/** Counts the request, or refuses it. */
@Injectable()
export class PlanThrottlerGuard extends ThrottlerGuard {
  @Inject(RequestCounter) private readonly counter!: RequestCounter;

  protected override async handleRequest({ context }: ThrottlerRequest): Promise<boolean> {
    const http = context.switchToHttp();
    const { headers, refusal } = await this.counter.count(http.getRequest<CountableRequest>());
    const response = http.getResponse<ServerResponse>();
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (refusal !== null) throw refusal;
    return true;
  }
}
