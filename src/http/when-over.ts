import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What is to be told of each connection's requests, should it close before they are answered. */
const ends = new WeakMap<Socket, Set<() => void>>();

/**
 * Once: when the last byte of the answer has left, or nobody waits for it any more. The response's own `close` is not
 * enough: one that is queued behind another of the same connection hears nothing of that connection's end.
 */
export function whenOver(
  { socket }: Pick<IncomingMessage, 'socket'>,
  response: ServerResponse,
  over: () => void,
): void {
  const ofSocket = ends.get(socket) ?? watched(socket);
  const end = (): void => {
    if (ofSocket.delete(end)) over();
  };
  ofSocket.add(end);
  response.once('close', end);
  // Bytes that had been read already are still taken for requests.
  if (socket.closed) setImmediate(end);
}

function watched(socket: Socket): Set<() => void> {
  const ofSocket = new Set<() => void>();
  ends.set(socket, ofSocket);
  socket.once('close', () => {
    for (const end of [...ofSocket]) end();
  });
  return ofSocket;
}
