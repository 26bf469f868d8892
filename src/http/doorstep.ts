import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Load, Seat } from './load.js';

type Handler = (request: IncomingMessage & { seat?: Seat }, response: ServerResponse) => void;

export interface DoorstepSurroundings {
  readonly load: Load;
  /** Whether this process is on its way out. */
  readonly draining: { readonly active: boolean };
  /** Says 503 with as little work as can be. */
  readonly refuse: Handler;
}

/**
 * Before anything else of a request's way: a process that is leaving asks its clients to go elsewhere for the next
 * one, and one that has too much to do refuses, before the request is looked at and so uncounted. Questions about
 * health are always let in: an instance that is busy is not dead.
 */
export function doorstep({ load, draining, refuse }: DoorstepSurroundings, inside: Handler): Handler {
  return (request, response) => {
    load.turns.arrive();
    if (draining.active) response.shouldKeepAlive = false;
    if (request.url?.startsWith('/health/') === true) {
      inside(request, response);
    } else if (load.requests.isFull()) {
      load.requests.refuse();
      refuse(request, response);
    } else {
      const seat = load.seat();
      request.seat = seat;
      leaveWithAnswer(seat, response);
      inside(request, response);
    }
  };
}

/** Once it is answered: a client that reads slowly costs no work, nor does one that has gone. */
function leaveWithAnswer(seat: Seat, response: ServerResponse): void {
  const end = response.end.bind(response);
  response.end = ((...last: Parameters<typeof end>) => {
    seat.leave();
    return end(...last);
  }) as typeof end;
  response.once('close', () => seat.leave());
}
