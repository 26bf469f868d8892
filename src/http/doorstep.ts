import type { IncomingMessage, ServerResponse } from 'node:http';
import { isHealthQuestion } from '../health/health.js';
import type { Load, Seat } from './load.js';
import { whenOver } from './when-over.js';

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
    if (isHealthQuestion(request)) {
      inside(request, response);
    } else if (load.requests.isFull()) {
      load.requests.refuse();
      refuse(request, response);
    } else {
      const seat = load.seat();
      request.seat = seat;
      leaveWithAnswer(seat, request, response);
      inside(request, response);
    }
  };
}

/** Once its head leaves: a client that reads slowly costs no work, however long the body is, nor does one that has gone. */
function leaveWithAnswer(seat: Seat, request: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = ((...head: Parameters<typeof writeHead>) => {
    seat.leave();
    return writeHead(...head);
  }) as typeof writeHead;
  whenOver(request, response, () => seat.leave());
}
