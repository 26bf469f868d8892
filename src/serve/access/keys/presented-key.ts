import type { IncomingHttpHeaders } from 'node:http';

/** A key or an access token as a client sent it. */
export interface PresentedKey {
  /** Null without one. */
  readonly text: string | null;
  /** Whether two headers carry different ones. */
  readonly contradicted: boolean;
}

/** @param takesHeader whether `X-Api-Key` counts too */
export function presentedKey(headers: IncomingHttpHeaders, takesHeader: boolean): PresentedKey {
  const token = bearer(headers.authorization);
  const sent = takesHeader ? headers['x-api-key'] : undefined;
  const other = typeof sent === 'string' && sent.trim() !== '' ? sent.trim() : null;
  return { text: token ?? other, contradicted: token !== null && other !== null && token !== other };
}

/** The token of `Authorization: Bearer <token>`, the scheme in any case; null when there is none. */
function bearer(header: string | undefined): string | null {
  const [, token] = /^bearer +(\S.*)$/i.exec(header?.trim() ?? '') ?? [];
  return token?.trim() ?? null;
}
