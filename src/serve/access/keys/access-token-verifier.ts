import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import type { Clock } from '../../../domain/config/clock.js';
import { ApiError } from '../../../domain/errors/api-error.js';
import type { Read } from '../../../store/snapshots.js';
import type { CallerLookup, AuthenticationResult, CallerRow } from './caller-lookup.js';
import { KeysUnavailableError, type ProviderKeys } from '../single-sign-on/provider-keys.js';

/** The scope that an access token must have. */
export const READ_SCOPE = 'tidemark.read';

/** The MCP endpoint as an OAuth resource server (RFC 9728). */
export interface ResourceSettings {
  readonly issuer: string;
  /** What a token must name as its audience. */
  readonly audience: string;
  /** The URL of the endpoint. */
  readonly resource: string;
  readonly metadataUrl: string;
}

/** Whose access token it is, or why it is refused. */
export type TokenResult =
  | Exclude<AuthenticationResult, { readonly kind: 'unknown' | 'revoked' }>
  | { readonly kind: 'invalid_token' | 'insufficient_scope' | 'unlinked' };

const MOST_CHARACTERS = 8_192;
/** OpenID Connect Core 2. */
const LONGEST_SUBJECT = 255;
const TOLERANCE_SECONDS = 10;
/** Signatures that the provider's public key verifies: no shared secret, and never `none`. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'].concat(
  'EdDSA',
  'Ed25519',
);
/** RFC 9068: it keeps ID tokens, which have the same issuer, from passing as access tokens. */
const TYPES = ['at+jwt', 'application/at+jwt'];
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** $1 the issuer, $2 the subject */
const LOOK_UP_IDENTITY = 'SELECT * FROM find_identity($1, $2)';

/** Whether a text has the form of a JWT; keys have not. */
export function isCompactJwt(text: string): boolean {
  return COMPACT.test(text);
}

/** Verifies access tokens of the OpenID provider (RFC 9068) for the MCP endpoint. */
export class AccessTokenVerifier {
  constructor(
    private readonly settings: ResourceSettings,
    private readonly keys: Pick<ProviderKeys, 'find'>,
    private readonly callers: CallerLookup,
    private readonly clock: Pick<Clock, 'wall'>,
  ) {}

  /** The value of `WWW-Authenticate` (RFC 6750 and RFC 9728). */
  challenge(error?: 'invalid_token' | 'insufficient_scope'): string {
    const parts = [`resource_metadata="${this.settings.metadataUrl}"`, `scope="${READ_SCOPE}"`];
    return `Bearer ${[...(error === undefined ? [] : [`error="${error}"`]), ...parts].join(', ')}`;
  }

  /** @throws ApiError `unavailable` if the provider's keys or the account cannot be read now */
  async identify(text: string): Promise<TokenResult> {
    const claims = await this.verified(text);
    if (claims?.sub === undefined) return { kind: 'invalid_token' };
    if (!scopesOf(claims).includes(READ_SCOPE)) return { kind: 'insufficient_scope' };
    const { issuer } = this.settings;
    const name = JSON.stringify([issuer, claims.sub]);
    const parameters = [issuer, claims.sub];
    const find = async (read: Read) => (await read<CallerRow>(LOOK_UP_IDENTITY, parameters))[0];
    const result = await this.callers.find({ name, find });
    return result.kind === 'unknown' || result.kind === 'revoked' ? { kind: 'unlinked' } : result;
  }

  private async verified(text: string): Promise<JWTPayload | null> {
    // Cheap checks first: an invalid token must not cause a request to the provider.
    if (!this.isPlausible(text)) return null;
    try {
      const { payload } = await jwtVerify(text, this.keys.find, {
        issuer: this.settings.issuer,
        audience: this.settings.audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: TOLERANCE_SECONDS,
        currentDate: new Date(this.clock.wall()),
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      const cause = error instanceof KeysUnavailableError ? {} : { cause: error };
      throw new ApiError('unavailable', { detail: 'provider', retryAfterSeconds: 5 }, cause);
    }
  }

  private isPlausible(text: string): boolean {
    if (text.length > MOST_CHARACTERS) return false;
    try {
      const { alg, typ } = decodeProtectedHeader(text);
      const { iss, aud, exp, sub } = decodeJwt(text);
      const { issuer, audience } = this.settings;
      const isForUs = iss === issuer && [aud].flat().includes(audience);
      const isOfPerson = typeof sub === 'string' && sub !== '' && sub.length <= LONGEST_SUBJECT;
      const isOfType = typ !== undefined && TYPES.includes(typ.toLowerCase());
      const isLive = exp !== undefined && exp > this.clock.wall() / 1_000 - TOLERANCE_SECONDS;
      return isForUs && isOfPerson && isOfType && isLive && alg !== undefined && ALGORITHMS.includes(alg);
    } catch {
      return false;
    }
  }
}

function scopesOf({ scope }: JWTPayload): readonly string[] {
  return typeof scope === 'string' ? scope.split(' ') : [];
}
