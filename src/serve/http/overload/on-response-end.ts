import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { WaitingList } from '../../../domain/waiting-list.js';

/** Callbacks of each connection's requests, called if it closes before their responses. */
const ends = new WeakMap<Socket, WaitingList<() => void>>();

/**
 * Calls `over` once: after the last byte of the response, or when the connection closes. The response's own `close`
 * is not enough: a response that is queued behind another one gets no event when the connection closes.
 */
export function onResponseEnd(
  { socket }: Pick<IncomingMessage, 'socket'>,
  response: ServerResponse,
  over: () => void,
): void {
  const ofSocket = ends.get(socket) ?? watched(socket);
  const end = (): void => {
    if (remove()) over();
  };
  const remove = ofSocket.add(end);
  response.once('close', end);
  // Node still parses requests from bytes that it read before the close.
  if (socket.closed) setImmediate(end);
}

function watched(socket: Socket): WaitingList<() => void> {
  const ofSocket = new WaitingList<() => void>();
  ends.set(socket, ofSocket);
  socket.once('close', () => {
    for (const end of ofSocket.values()) end();
  });
  return ofSocket;
}
