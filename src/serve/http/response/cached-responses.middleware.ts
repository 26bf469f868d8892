import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { KeyVerifier } from '../../access/keys/key-verifier.js';
import { presentedKey } from '../../access/keys/presented-key.js';
import { RequestCounter } from '../../limits/request-counter.js';
import type { ApiRequest } from '../request/api-request.js';
import { headError, varyAndCors } from '../request/early-checks.middleware.js';
import { HTTP_SETTINGS, type HttpSettings } from '../settings.js';
import { acceptsJson } from './negotiation.js';
import { ResponseCacheKeys } from './response-cache-key.js';
import { ResponseCache } from './response-cache.js';
import { ResponseWriter } from './response-writer.service.js';

type Headers = Readonly<Record<string, string>>;

/**
 * Sends cached responses before the router: with the verifier, the counter and the writer of the request pipeline, and
 * only where the pipeline would send the same. It leaves everything else to the pipeline: unknown URLs, cache misses,
 * other methods, and every request that gets an error.
 */
@Injectable()
export class CachedResponses {
  private readonly origins: ReadonlySet<string>;

  constructor(
    private readonly keys: ResponseCacheKeys,
    private readonly cache: ResponseCache,
    private readonly verifier: KeyVerifier,
    private readonly counter: RequestCounter,
    private readonly writer: ResponseWriter,
    @Inject(HTTP_SETTINGS) { corsOrigins }: HttpSettings,
  ) {
    this.origins = new Set(corsOrigins);
  }

  /** @param hardening the headers that the router's middleware would set */
  middleware(hardening: Headers) {
    return (request: ApiRequest, response: ServerResponse, next: () => void): void => {
      const { method, url } = request;
      const reads = method === 'GET' || method === 'HEAD';
      if (!reads || this.keys.known(url) === undefined) next();
      else {
        this.send(request, response, hardening).then(
          (isSent) => {
            if (!isSent) next();
          },
          // The pipeline meets the same failure, and reports it.
          () => (response.headersSent ? response.destroy() : next()),
        );
      }
    };
  }

  private async send(request: ApiRequest, response: ServerResponse, hardening: Headers): Promise<boolean> {
    const { context, headers } = request;
    const known = this.keys.known(request.url);
    if (known === undefined || !isOrdinary(request)) return false;
    const { text } = presentedKey(headers, false);
    const identified = text === null ? null : await this.verifier.identify(text);
    if (identified?.kind !== 'caller') return false;
    context.caller = identified.caller;
    const answer = this.cache.hit(this.keys.keyOf(known, context));
    if (answer === undefined) return false;
    context.query = known.query;
    request.route = known.route;
    const counted = await this.counter.count(request);
    if (counted.refusal !== null) return false;
    this.writer.send(request, response, await this.writer.encode(request, answer), {
      ...hardening,
      ...varyAndCors(headers.origin, this.origins),
      'x-request-id': context.id,
      ...counted.headers,
    });
    return true;
  }
}

/** Whether the early checks and the negotiation would let it pass without changing anything. */
function isOrdinary(request: ApiRequest): boolean {
  const { accept, upgrade } = request.headers;
  return upgrade === undefined && headError(request) === null && acceptsJson(accept);
}
