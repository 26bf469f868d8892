import type { IncomingMessage, ServerResponse } from 'node:http';
import { isHealthCheck } from '../../health/health.js';
import { beginRequest, type BegunRequest } from '../request/begin-request.js';
import type { LoadShedder, RequestSlot } from './load-shedder.js';
import { onResponseEnd } from './on-response-end.js';

type Handler<Begun extends IncomingMessage = BegunRequest> = (request: Begun, response: ServerResponse) => void;

export interface AdmissionDependencies {
  readonly loadShedder: LoadShedder;
  readonly now: () => Date;
  /** Whether this process drains. */
  readonly draining: { readonly active: boolean };
  /** Sends a prebuilt 503. */
  readonly refuse: Handler;
}

/**
 * Runs before everything else. A draining process closes the connection after the response, so that the client
 * reconnects elsewhere. An overloaded one rejects the request before it parses or counts it. Health checks always
 * pass: an overloaded instance is alive.
 */
export function admission(
  { loadShedder, draining, refuse, now }: AdmissionDependencies,
  inside: Handler,
): Handler<IncomingMessage> {
  return (incoming, response) => {
    loadShedder.eventLoop.onRequest();
    const request = beginRequest(incoming, now());
    if (draining.active) response.shouldKeepAlive = false;
    if (isHealthCheck(request)) {
      inside(request, response);
    } else if (loadShedder.requests.isFull()) {
      loadShedder.requests.reject();
      refuse(request, response);
    } else {
      const slot = loadShedder.acquireSlot();
      releaseOnResponse(slot, request, response);
      inside(Object.assign(request, { slot }), response);
    }
  };
}

/** Releases the slot when the response head is sent or the connection closes: a slow reader costs no work. */
function releaseOnResponse(slot: RequestSlot, request: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = ((...head: Parameters<typeof writeHead>) => {
    slot.release();
    return writeHead(...head);
  }) as typeof writeHead;
  onResponseEnd(request, response, () => slot.release());
}
