import { createServer, type Server } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, decodeJwt, type JWTPayload } from 'jose';
import { Provider, type Context } from 'oidc-provider';
import { freePort } from './free-port.mjs';

export const CLIENT_ID = 'tidemark';
export const CLIENT_SECRET = 'only-for-tests-of-single-sign-on';
const KEY_ID = 'test-key';

export interface ProviderPerson {
  readonly email?: string;
  readonly isVerified?: boolean;
}

/** Signs claims with the provider's key, or with another of the same id. */
export type Sign = (claims: object, key?: 'own' | 'other') => Promise<string>;

/** A real OpenID provider. People sign in there by their name and any password. */
export interface OpenIdProvider {
  readonly issuer: string;
  /** The variables of a service that uses it. */
  readonly environment: Readonly<Record<string, string>>;
  /** By their subject. */
  readonly people: Map<string, ProviderPerson>;
  /** Requests by path. */
  readonly requests: Map<string, number>;
  /** Changes each response, or keeps it back; null: the provider is as it should be. */
  meddle: ((context: Context) => void | Promise<void>) | null;
  /** An access token with the provider's own signature, whatever its claims. */
  accessToken(claims?: JWTPayload, header?: { typ?: string; kid?: string }): Promise<string>;
  /** Replaces the ID tokens that the provider issues from now on. */
  forge(forged: (claims: JWTPayload, sign: Sign) => Promise<string | undefined>): void;
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function startOpenIdProvider(serviceUrl: string): Promise<OpenIdProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${String(port)}`;
  const [own, other] = await Promise.all([keyPair(), keyPair()]);
  const people = new Map<string, ProviderPerson>();
  const requests = new Map<string, number>();
  const resource = `${serviceUrl}/api/v1/mcp`;
  const jwk = { ...(await exportJWK(own.privateKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' };
  const provider = new Provider(issuer, configurationOf(serviceUrl, people, jwk));
  const state: Pick<OpenIdProvider, 'meddle'> = { meddle: null };
  provider.use(async (context, next) => {
    requests.set(context.path, (requests.get(context.path) ?? 0) + 1);
    await next();
    await state.meddle?.(context);
  });
  let server: Server | undefined;
  const sign = (claims: object, key: 'own' | 'other', header = {}) =>
    new SignJWT(claims as JWTPayload)
      .setProtectedHeader({ alg: 'RS256', kid: KEY_ID, ...header })
      .sign((key === 'own' ? own : other).privateKey);
  const started: OpenIdProvider = Object.assign(state, {
    issuer,
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_NAME: 'Harbour',
    },
    people,
    requests,
    accessToken: (claims: JWTPayload = {}, header: object = {}) => {
      const now = Math.floor(Date.now() / 1_000);
      const usual = { iss: issuer, aud: resource, iat: now, exp: now + 600, scope: 'tidemark.read' };
      return sign({ ...usual, client_id: 'host', jti: 'one', ...claims }, 'own', { typ: 'at+jwt', ...header });
    },
    forge: (forged: (claims: JWTPayload, sign: Sign) => Promise<string | undefined>) => {
      state.meddle = async (context) => {
        if (context.path !== '/token' || context.status !== 200) return;
        const body = context.body as { id_token: string };
        const signed: Sign = (claims, key = 'own') => sign(claims, key);
        context.body = { ...body, id_token: await forged(decodeJwt(body.id_token), signed) };
      };
    },
    start: async () => {
      if (server !== undefined) return;
      const listening = createServer(provider.callback());
      await new Promise<void>((resolve) => listening.listen(port, '127.0.0.1', resolve));
      server = listening;
    },
    stop: async () => {
      const stopping = server;
      server = undefined;
      stopping?.closeAllConnections();
      await new Promise<void>((resolve) => (stopping === undefined ? resolve() : stopping.close(() => resolve())));
    },
  });
  await started.start();
  return started;
}

function keyPair() {
  return generateKeyPair('RS256', { extractable: true });
}

function configurationOf(serviceUrl: string, people: ReadonlyMap<string, ProviderPerson>, jwk: object) {
  const client = {
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    redirect_uris: [`${serviceUrl}/account/sso/callback`],
    post_logout_redirect_uris: [`${serviceUrl}/account/sign-in`],
  };
  return {
    clients: [client],
    jwks: { keys: [jwk] },
    cookies: { keys: ['only-for-tests'] },
    // The package complains of each of its defaults.
    ttl: { AccessToken: 600, Grant: 3_600, IdToken: 600, Interaction: 600, Session: 3_600 },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    findAccount: (_context: unknown, accountId: string) => {
      const { email, isVerified } = people.get(accountId) ?? {};
      const claims = { sub: accountId, ...(email && { email, email_verified: isVerified ?? true }) };
      return { accountId, claims: () => claims };
    },
    // Hosts of MCP register themselves; they are public clients.
    scopes: ['openid', 'offline_access', 'tidemark.read'],
    clientDefaults: { grant_types: ['authorization_code'] },
    features: {
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context: unknown, resource: string) => ({
          scope: 'tidemark.read',
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 600,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  };
}
