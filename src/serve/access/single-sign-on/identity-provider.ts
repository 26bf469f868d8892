import { setTimeout } from 'node:timers/promises';
import * as oidc from 'openid-client';
import type { Clock } from '../../../domain/config/clock.js';
import type { Oidc } from '../../../domain/config/oidc.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { VOICES } from '../../../domain/locale/voice/voices.js';
import type { AuthorizationRequest } from './authorization-requests.js';
import type { ProviderIdentity } from './identities.js';
import { providerFailure, unavailable, type WarnOperator } from './provider-failure.js';
import { PROVIDER_TIMEOUT_SECONDS, providerFetch } from './provider-fetch.js';

/** Where the provider sends browsers back to, exactly as it must be registered there. */
export interface ProviderSettings extends Oidc {
  readonly redirectUri: string;
  readonly signedOutUri: string;
}

/** A person whom the provider has authenticated. */
export interface Authenticated extends ProviderIdentity {
  /** Seconds from the person's sign-in to the ID token, by the provider's clock; null if it did not say. */
  readonly signInAge: number | null;
  /** The address that the provider has verified, if it has one; asks the provider if its ID token lacks it. */
  verifiedEmail(): Promise<string | null>;
}

const CLOCK_TOLERANCE_SECONDS = 10;
/** After this, the metadata is read again behind a request, which still uses the old. */
const FRESH_MS = 3_600_000;
/** A provider that failed is not asked again for this long. */
const RETRY_MS = 5_000;
/** How long a page waits for a provider whose metadata are not known yet. */
const PREPARE_MS = 1_000;
/** The life of an authorization request. */
const LONGEST_SIGN_IN_SECONDS = 600;
const FRESH_SIGN_IN = { prompt: 'login', max_age: '0' };

/** The OpenID provider. It is first asked when a request needs it, so an instance starts without it. */
export class IdentityProvider {
  private known: { readonly configuration: oidc.Configuration; readonly at: number } | undefined;
  private discovery: Promise<oidc.Configuration> | undefined;
  private failedAt = Number.NEGATIVE_INFINITY;

  constructor(
    readonly settings: ProviderSettings,
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly warn: WarnOperator,
  ) {}

  /** Origins to which the provider's forms lead: a browser applies `form-action` to redirects too. */
  get origins(): string[] {
    const { authorization_endpoint: authorization, end_session_endpoint: end } =
      this.known?.configuration.serverMetadata() ?? {};
    const urls = [this.settings.issuer, authorization, end].filter((url) => url !== undefined);
    return [...new Set(urls.map((url) => new URL(url).origin))];
  }

  /** Waits a moment for the metadata, which name the origins; a slow provider must not hold up a page. */
  async prepare(): Promise<void> {
    const timer = new AbortController();
    const pause = setTimeout(PREPARE_MS, undefined, { signal: timer.signal });
    await Promise.race([this.configuration(), pause]).catch(() => undefined);
    timer.abort();
    await pause.catch(() => undefined);
  }

  /** @throws AccessError `sso_unavailable` */
  async authorizationUrl(request: AuthorizationRequest & { readonly state: string }): Promise<URL> {
    const configuration = await this.configuration();
    const { state, nonce, codeVerifier, locale, purpose } = request;
    return oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: this.settings.redirectUri,
      scope: this.settings.scopes.join(' '),
      state,
      nonce,
      code_challenge_method: 'S256',
      ui_locales: localeTag(locale),
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      ...(purpose === 'confirm' && FRESH_SIGN_IN),
    });
  }

  /**
   * Exchanges the code of an authorization response and validates the ID token.
   * @param sent the parameters of the response
   * @throws AccessError `sso_unavailable`, `sso_cancelled` or `sso_failed`
   */
  async authenticate(
    sent: Readonly<Record<string, string>>,
    { nonce, codeVerifier, purpose }: AuthorizationRequest,
  ): Promise<Authenticated> {
    const configuration = await this.configuration();
    const { redirectUri } = this.settings;
    const response = new URL(`${redirectUri}?${new URLSearchParams(sent).toString()}`);
    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, response, {
        pkceCodeVerifier: codeVerifier,
        // The request was found by this state.
        expectedState: sent['state'] ?? '',
        expectedNonce: nonce,
        idTokenExpected: true,
        ...(purpose === 'confirm' && { maxAge: LONGEST_SIGN_IN_SECONDS }),
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('The response has no ID token');
      checkClaims(claims);
      return {
        issuer: claims.iss,
        subject: claims.sub,
        signInAge: claims.auth_time === undefined ? null : claims.iat - claims.auth_time,
        verifiedEmail: () => this.verifiedEmail(configuration, tokens.access_token, claims),
      };
    } catch (error) {
      throw providerFailure(error, this.warn);
    }
  }

  /** Where a browser signs out of the provider; null if the provider offers nothing or is unavailable. */
  async signOutUrl(locale: Locale): Promise<URL | null> {
    const configuration = await this.configuration().catch(() => null);
    if (configuration?.serverMetadata().end_session_endpoint === undefined) return null;
    return oidc.buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: this.settings.signedOutUri,
      ui_locales: localeTag(locale),
    });
  }

  /** @throws AccessError `sso_unavailable` */
  async jwksUri(): Promise<string> {
    const { jwks_uri: uri } = (await this.configuration()).serverMetadata();
    if (uri === undefined) throw unavailable();
    return uri;
  }

  /** The provider's metadata, discovered once for all who wait. */
  private async configuration(): Promise<oidc.Configuration> {
    const now = this.clock.monotonic();
    const { known } = this;
    if (known !== undefined && now - known.at < FRESH_MS) return known.configuration;
    const mayAsk = this.discovery !== undefined || now - this.failedAt >= RETRY_MS;
    const found = mayAsk ? (this.discovery ??= this.discover()) : Promise.reject(unavailable());
    if (known === undefined) return found;
    // The known metadata serves while the provider is away.
    found.catch(() => undefined);
    return known.configuration;
  }

  private async discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    try {
      const execute = [oidc.enableNonRepudiationChecks];
      const isPlain = issuer.startsWith('http:');
      const configuration = await oidc.discovery(
        new URL(issuer),
        clientId,
        { client_secret: clientSecret, [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
        clientAuthentication(clientSecret),
        {
          [oidc.customFetch]: (url, options) => providerFetch(url, options as RequestInit),
          timeout: PROVIDER_TIMEOUT_SECONDS,
          // The configuration allows plain http for a loopback host only.
          execute: isPlain ? [...execute, oidc.allowInsecureRequests] : execute,
        },
      );
      checkMetadata(configuration.serverMetadata(), issuer);
      this.known = { configuration, at: this.clock.monotonic() };
      return configuration;
    } catch (error) {
      this.failedAt = this.clock.monotonic();
      providerFailure(error, this.warn);
      throw unavailable();
    } finally {
      this.discovery = undefined;
    }
  }

  private async verifiedEmail(
    configuration: oidc.Configuration,
    accessToken: string,
    claims: oidc.IDToken,
  ): Promise<string | null> {
    const isComplete = claims['email'] !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined;
    try {
      const { email, email_verified: isVerified } = isComplete
        ? claims
        : await oidc.fetchUserInfo(configuration, accessToken, claims.sub);
      return isVerified === true && typeof email === 'string' ? email : null;
    } catch (error) {
      throw providerFailure(error, this.warn);
    }
  }
}

/** `client_secret_basic` is the default of a registration (OpenID Connect Registration 2). */
function clientAuthentication(secret: string): oidc.ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

/** The library checks where it connects itself; a browser is sent to these. */
function checkMetadata(metadata: oidc.ServerMetadata, issuer: string): void {
  if (metadata.issuer !== issuer) throw new Error('OIDC_ISSUER is not written as the provider writes it');
  const { authorization_endpoint: authorization, end_session_endpoint: end } = metadata;
  if (authorization === undefined) throw new Error('The provider has no authorization endpoint');
  for (const url of [authorization, end].filter((one) => one !== undefined)) {
    const { protocol } = new URL(url);
    if (protocol !== 'https:' && protocol !== new URL(issuer).protocol) {
      throw new Error('The provider names an endpoint without https');
    }
  }
}

function localeTag(locale: Locale): string {
  return [...new Set([VOICES[locale].tag, locale])].join(' ');
}

/** Checks what the client library does not: an ID token from the future, by the clock that the library reads, and one of nobody. */
function checkClaims({ iat, sub }: oidc.IDToken): void {
  if (iat > Date.now() / 1_000 + CLOCK_TOLERANCE_SECONDS) throw new Error('The ID token was issued in the future');
  if (sub === '') throw new Error('The ID token names no subject');
}
