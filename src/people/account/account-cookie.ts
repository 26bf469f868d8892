import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomToken } from '../../serve/access/sign-in/sessions.js';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** Expires at the absolute end of a session. */
const MAX_AGE_SECONDS = 14 * 24 * 3_600;

/** Only https allows the prefix that binds a cookie to this host; plain http is for localhost. */
const nameOf = (baseUrl: string): string => (baseUrl.startsWith('https:') ? '__Host-tidemark' : 'tidemark-local');

/** The value of the account page's cookie; null if it is missing, malformed or sent twice. */
export function readCookie({ headers: { cookie = '' } }: IncomingMessage, baseUrl: string): string | null {
  const start = `${nameOf(baseUrl)}=`;
  const values = cookie.split(/; */).filter((part) => part.startsWith(start));
  const [value = ''] = values.map((part) => part.slice(start.length));
  return values.length === 1 && TOKEN.test(value) ? value : null;
}

/** A new value each time rights change, so that no earlier page or attacker knows it. */
export function setCookie(response: ServerResponse, baseUrl: string, token = randomToken()): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  const attributes = `Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
  response.setHeader('set-cookie', `${nameOf(baseUrl)}=${token}; ${attributes}`);
  return token;
}

/** The token of a form, derived from the cookie, which another site can neither read nor set. */
export function formToken(cookie: string): string {
  return createHmac('sha256', cookie).update('form').digest('base64url');
}

export function isFormToken(sent: string, cookie: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(formToken(cookie))];
  return one.length === other.length && timingSafeEqual(one, other);
}
