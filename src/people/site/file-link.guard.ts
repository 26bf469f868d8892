import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ApiError } from '../../domain/errors/api-error.js';
import { FAILED_AUTH_LIMITER, type FailedAuthHandler } from '../../serve/access/keys/api-key.guard.js';
import { KeyVerifier } from '../../serve/access/keys/key-verifier.js';
import type { ApiRequest, ApiResponse } from '../../serve/http/request/api-request.js';
import { countOrRefuse } from '../../serve/limits/plan-throttler.guard.js';
import { RequestCounter } from '../../serve/limits/request-counter.js';

/** Identifies the file link in the path and counts the request on its account, as for a key of the API. */
@Injectable()
export class FileLinkGuard implements CanActivate {
  constructor(
    private readonly keys: KeyVerifier,
    private readonly counter: RequestCounter,
    @Inject(FAILED_AUTH_LIMITER) private readonly failures: FailedAuthHandler,
  ) {}

  /** @throws ApiError `not_found` for a link that is unknown, revoked or expired */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const [text = ''] = String(request.params['file']).split('.', 1);
    const result = await this.keys.identifyLink(text);
    if (result.kind === 'suspended') throw new ApiError('account_suspended');
    if (result.kind !== 'caller') {
      await this.failures.onFailure(request);
      throw new ApiError('not_found', { detail: 'link' });
    }
    request.context.caller = result.caller;
    // Programs ask for the size of a file before they read it.
    request.isFree = request.method === 'HEAD';
    return countOrRefuse(this.counter, request, http.getResponse<ApiResponse>());
  }
}
