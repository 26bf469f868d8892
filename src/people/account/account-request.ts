import type { SignedIn } from '../../serve/access/sign-in/sessions.js';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { ownMember } from '../../domain/names/own-member.js';

/** A request of the account page, after its guard. */
export interface AccountRequest extends ApiRequest {
  /** The cookie's value: of a session or of an anonymous visitor. */
  accountCookie: string;
  signedIn: SignedIn | null;
  /** The key under which the client's address counts. */
  addressKey: string;
  /** The address of the client, behind trusted proxies; empty if it is unknown. */
  clientAddress: string;
  /** The address without its last part, for sessions and the audit log. */
  shortAddress: string;
  /** The fields of the form as texts. */
  body: Readonly<Record<string, unknown>> | undefined;
}

/** The text of a field; empty if it is missing or repeated. */
export function field({ body }: AccountRequest, name: string): string {
  const value = ownMember(body ?? {}, name);
  return typeof value === 'string' ? value : '';
}

export function clientOf({ headers, shortAddress }: AccountRequest) {
  return { name: (headers['user-agent'] ?? '').slice(0, 100), address: shortAddress };
}

/** The text of a parameter in the URL; empty if it is missing or repeated. */
export function parameter({ context }: AccountRequest, name: string): string {
  const { [name]: value } = context.query;
  return typeof value === 'string' ? value : '';
}
