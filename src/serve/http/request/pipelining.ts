import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onResponseEnd } from '../overload/on-response-end.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
type Exchange = readonly [IncomingMessage, ServerResponse];

interface Pipeline {
  busy: boolean;
  /** Requests read from the socket but not started: the rest of one read, 64 kB at most. */
  readonly queue: Exchange[];
  /** Pauses the socket again when Node resumes it. */
  guarded: boolean;
}

/**
 * Handles the pipelined requests of a connection one at a time, and reads no more from it while one is queued. Node
 * itself starts all that it has read, so a few connections with hundreds of requests each would delay every other
 * client.
 */
export function oneAtATime(handle: Handler): Handler {
  const pipelines = new WeakMap<Socket, Pipeline>();

  function begin(pipeline: Pipeline, request: IncomingMessage, response: ServerResponse): void {
    pipeline.busy = true;
    onResponseEnd(request, response, () => next(pipeline, request.socket));
    handle(request, response);
  }

  function next(pipeline: Pipeline, socket: Socket): void {
    pipeline.busy = false;
    // The connection closes after this response, so the client would not receive the others.
    if (socket.destroyed || socket.writableEnded) pipeline.queue.length = 0;
    const first = pipeline.queue.shift();
    if (first === undefined) return;
    if (pipeline.queue.length === 0) socket.resume();
    begin(pipeline, ...first);
  }

  return (request, response) => {
    const { socket } = request;
    let pipeline = pipelines.get(socket);
    if (pipeline === undefined) {
      pipeline = { busy: false, queue: [], guarded: false };
      pipelines.set(socket, pipeline);
    }
    if (pipeline.busy) {
      pipeline.queue.push([request, response]);
      pause(pipeline, socket);
    } else begin(pipeline, request, response);
  };
}

function pause(pipeline: Pipeline, socket: Socket): void {
  socket.pause();
  if (pipeline.guarded) return;
  pipeline.guarded = true;
  // Node resumes a socket once any of its requests has been read completely.
  socket.on('resume', () => {
    if (pipeline.queue.length > 0) socket.pause();
  });
}
