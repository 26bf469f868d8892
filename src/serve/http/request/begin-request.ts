import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { KEY_ANYWHERE } from '../../access/keys/key-text.js';
import { RequestContext } from '../../responses/request-context.js';
import { queryIn } from './query-parser.js';
import { normalizeTarget, type TargetFault } from './request-target.js';

/** A request as Node parsed it. */
export interface BegunRequest extends IncomingMessage {
  context: RequestContext;
  /** The fault of its target; undefined if it is valid. */
  targetFault?: TargetFault;
}

const SANE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/;

/** Creates the context of a request. Nothing parses the target after this. */
export function beginRequest(request: IncomingMessage, receivedAt: Date): BegunRequest {
  const targetFault = normalizeTarget(request);
  const target = request.url ?? '';
  const end = target.indexOf('?');
  const [path, search] = end < 0 ? [target, ''] : [target.slice(0, end), target.slice(end + 1)];
  const context = new RequestContext(requestId(request), receivedAt, path, () => queryIn(search));
  return Object.assign(request, { context, ...(targetFault && { targetFault }) });
}

/** The client's request id if it is safe to log, else a new one. */
function requestId({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id'];
  // The id is echoed and logged, so an API key in it is replaced.
  const sane = typeof sent === 'string' && SANE_ID.test(sent) && !KEY_ANYWHERE.test(sent);
  return sane ? sent : randomUUID();
}
