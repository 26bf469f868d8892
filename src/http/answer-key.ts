import type { Pulse } from '../database/pulse.js';
import { dayOf } from '../figures/periods.js';
import type { ApiRequest } from './api-request.js';

/**
 * What an answer is kept under. The revision is the one known before reading: an answer is never kept as newer than
 * it is. Nor is one found that is too old for a walk which another instance began: a cursor says on which revision
 * it was shown, so its address is another for each.
 */
export function answerKey({ receivedAt, caller, originalUrl }: ApiRequest, pulse: Pulse): string {
  return `${pulse.latest.revision} ${dayOf(receivedAt)} ${caller?.plan ?? ''} ${originalUrl}`;
}
