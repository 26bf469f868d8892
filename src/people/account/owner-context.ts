import type { Actor } from '../../serve/access/accounts/audit-log.js';
import { RequestContext } from '../../serve/responses/request-context.js';
import { pageLocale } from '../site/page-locale.js';
import type { AccountRequest } from './account-request.js';
import { sessionOf } from './owner.guard.js';

/** The context with which the signed-in owner asks the API's services: a session takes the place of a key. */
export function ownerContext(request: AccountRequest): RequestContext {
  const { accountId, plan } = sessionOf(request);
  const { id, receivedAt, path } = request.context;
  const locale = pageLocale(request);
  const context = new RequestContext(id, receivedAt, path, () => ({ locale }));
  context.caller = { accountId, keyId: null, plan };
  return context;
}

export const ownerActor = ({ shortAddress }: AccountRequest): Actor => ({
  kind: 'owner',
  address: shortAddress,
});
