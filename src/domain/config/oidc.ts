import { z } from 'zod';
import { isIssuer } from './formats.js';

// The settings of single sign-on by OpenID Connect.

const SIGN_UP_MODES = ['open', 'oidc', 'closed'] as const;
/** `oidc`: people make accounts by single sign-on only. */
export type SignUpMode = (typeof SIGN_UP_MODES)[number];

export const oidcVariables = {
  SIGN_UP: z.enum(SIGN_UP_MODES, { error: `must be one of ${SIGN_UP_MODES.join(', ')}` }).default('open'),
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, 'must be an https address without user, query or fragment; http for a loopback host only')
    .optional(),
  OIDC_CLIENT_ID: z.string().max(500).optional(),
  OIDC_CLIENT_SECRET: z.string().max(4_000).optional(),
  OIDC_NAME: z
    .string()
    .trim()
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,40}$/u, 'must be 1 to 40 printable characters on one line')
    .optional(),
  OIDC_SCOPES: z
    .string()
    .transform((text) => text.trim().split(/\s+/))
    .refine((scopes) => scopes.includes('openid'), 'must be scopes separated by blanks, openid among them')
    .default(['openid', 'email']),
  OIDC_MCP_AUDIENCE: z.string().max(500).optional(),
};

type OidcVariables = z.infer<z.ZodObject<typeof oidcVariables>>;

/** The OpenID provider that people sign in with. */
export interface Oidc {
  /** Exactly as the provider writes it. */
  readonly issuer: string;
  readonly clientId: string;
  /** Never logged. */
  readonly clientSecret: string;
  /** What the button calls the provider. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** What access tokens for the MCP endpoint name as their audience; null: the endpoint's URL. */
  readonly mcpAudience: string | null;
}

/** @param hasMail whether the service can confirm an address itself: otherwise only the provider can */
export function readOidc(
  variables: OidcVariables,
  hasMail: boolean,
): { readonly oidc: Oidc | null; readonly signUp: SignUpMode } {
  const oidc = oidcOf(variables);
  const { SIGN_UP: wanted } = variables;
  if (wanted !== 'open' || hasMail) return { oidc, signUp: wanted };
  return { oidc, signUp: oidc === null ? 'closed' : 'oidc' };
}

function oidcOf(variables: OidcVariables): Oidc | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = variables;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return Object.freeze({
    issuer,
    clientId,
    clientSecret,
    name: variables.OIDC_NAME ?? new URL(issuer).host,
    scopes: variables.OIDC_SCOPES,
    mcpAudience: variables.OIDC_MCP_AUDIENCE ?? null,
  });
}

export function oidcMistakes(
  variables: OidcVariables & { readonly BASE_URL?: string | undefined },
  production: boolean,
): string[] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME, OIDC_MCP_AUDIENCE } = variables;
  const mistakes: string[] = [];
  const others = OIDC_CLIENT_ID ?? OIDC_CLIENT_SECRET ?? OIDC_NAME ?? OIDC_MCP_AUDIENCE;
  if (OIDC_ISSUER === undefined && others !== undefined) {
    mistakes.push('OIDC_ISSUER: must be set where another OIDC_ variable is');
  }
  if (OIDC_ISSUER === undefined && variables.SIGN_UP === 'oidc') {
    mistakes.push('OIDC_ISSUER: must be set where SIGN_UP is oidc');
  }
  if (OIDC_ISSUER !== undefined) {
    const needed = { OIDC_CLIENT_ID, OIDC_CLIENT_SECRET };
    for (const [name, value] of Object.entries(needed)) {
      if (value === undefined) mistakes.push(`${name}: must be set where OIDC_ISSUER is`);
    }
    if (production && !OIDC_ISSUER.startsWith('https:')) {
      mistakes.push('OIDC_ISSUER: must be an https address in production');
    }
    if (production && variables.BASE_URL === undefined) {
      mistakes.push('BASE_URL: must be set where OIDC_ISSUER is: the provider redirects to it');
    }
  }
  return mistakes;
}
