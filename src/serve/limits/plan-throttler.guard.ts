import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import type { ServerResponse } from 'node:http';
import { RequestCounter, type CountableRequest } from './request-counter.js';

/** Counts the request in both windows of the plan, or refuses it. */
@Injectable()
export class PlanThrottlerGuard extends ThrottlerGuard {
  @Inject(RequestCounter) private readonly counter!: RequestCounter;

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    return countOrRefuse(this.counter, http.getRequest<CountableRequest>(), http.getResponse<ServerResponse>());
  }
}

/** @throws ApiError of the limit that is reached */
export async function countOrRefuse(
  counter: RequestCounter,
  request: CountableRequest,
  response: ServerResponse,
): Promise<true> {
  const { headers, refusal } = await counter.count(request);
  if (refusal === null && request.kept !== undefined) request.limitHeaders = headers;
  else for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (refusal !== null) throw refusal;
  return true;
}
