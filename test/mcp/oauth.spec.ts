import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { Access } from '../../src/serve/access/accounts/access.js';
import { Heartbeat } from '../../src/store/heartbeat.js';
import { RunningClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { FormBrowser } from '../support/form-browser.js';
import { freePort } from '../support/free-port.mjs';
import { startOpenIdProvider, type OpenIdProvider } from '../support/openid-provider.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { MCP, post, toolCall } from './rpc.js';

const CALL = toolCall('latest_changes', { limit: 1 });
const HOST_CALLBACK = 'http://127.0.0.1:49152/callback';
const DAY_MS = 24 * 3_600_000;

let database: TestDatabase;
let provider: OpenIdProvider;
let service: TestServer;
const clock = new RunningClock();

beforeAll(async () => {
  const port = await freePort();
  database = await createTestDatabase('figures');
  provider = await startOpenIdProvider(`http://127.0.0.1:${String(port)}`);
  service = await start(port);
});
afterAll(async () => {
  await service.close();
  await provider.stop();
  await database.drop();
});
// Each test begins with rested limits of its address.
beforeEach(() => clock.advance(60_000));
afterEach(() => {
  provider.meddle = null;
});

function start(port: number, more: Readonly<Record<string, string>> = {}) {
  const environment = { ...provider.environment, TRUSTED_PROXIES: '127.0.0.1', ...more };
  return startTestServer({ database, clock, port, environment });
}

/** With the clock of the service. */
const access = () => service.server.app.get(Access, { strict: false });

let people = 0;
/** A person with an account that single sign-on has made. */
async function newOwner(plan: 'free' | 'developer' = 'developer') {
  const subject = `owner-${String(++people)}`;
  const email = `${subject}@harbour.example`;
  provider.people.set(subject, { email });
  const browser = await new FormBrowser().open(`${service.url}/account/sign-in`);
  await browser.submit('/account/sso');
  while (browser.url.startsWith(provider.issuer)) await browser.submit('', { login: subject, password: 'x' });
  await service.access.setPlan(email, plan);
  await service.server.app.get(Heartbeat).poll();
  return { subject, email };
}

/** An access token of the provider that is as it should be, but for these claims. */
const tokenOf = (sub: string, claims: object = {}, header: object = {}) =>
  provider.accessToken({ sub, iat: inS(0), exp: inS(600), ...claims }, header);
const inS = (seconds: number) => Math.floor(clock.wall() / 1_000) + seconds;

const call = (key: string, url = service.url) => post(url, CALL, { key });
const codeOf = async (key: string, url?: string) => (await call(key, url)).body.error?.data?.code ?? null;

/** An MCP host that speaks OAuth only: it knows the address of the endpoint, and a person with a browser. */
class Host implements OAuthClientProvider {
  readonly redirectUrl = HOST_CALLBACK;
  readonly clientMetadata = {
    client_name: 'host',
    redirect_uris: [HOST_CALLBACK],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  };
  authorizationUrl = '';
  private readonly kept = new Map<string, unknown>();

  clientInformation = () => this.kept.get('client') as never;
  saveClientInformation = (client: unknown) => void this.kept.set('client', client);
  tokens = () => this.kept.get('tokens') as never;
  saveTokens = (tokens: unknown) => void this.kept.set('tokens', tokens);
  saveCodeVerifier = (verifier: string) => void this.kept.set('verifier', verifier);
  codeVerifier = () => this.kept.get('verifier') as string;
  saveDiscoveryState = (state: unknown) => void this.kept.set('discovery', state);
  discoveryState = () => this.kept.get('discovery') as never;
  redirectToAuthorization = (url: URL) => void (this.authorizationUrl = url.href);
}

describe('A host of MCP that speaks OAuth only', () => {
  it('finds the provider by the endpoint, gets a token for a person, and calls a tool of their account', async () => {
    const { subject } = await newOwner();
    const host = new Host();
    const transport = () => new StreamableHTTPClientTransport(new URL(service.url + MCP), { authProvider: host });
    const first = transport();
    await expect(new Client({ name: 'host', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);
    const asked = new URL(host.authorizationUrl);
    expect(asked.origin).toBe(provider.issuer);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      resource: service.url + MCP,
      scope: 'tidemark.read',
      code_challenge_method: 'S256',
    });

    const browser = await new FormBrowser().open(host.authorizationUrl);
    while (browser.url.startsWith(provider.issuer)) {
      await browser.submit('', { login: subject, password: 'x' }, /127\.0\.0\.1:49152/);
    }
    await first.finishAuth(new URL(browser.url).searchParams);
    const client = new Client({ name: 'host', version: '1' });
    await client.connect(transport());
    const result = await client.callTool({ name: 'latest_changes', arguments: { limit: 1 } });
    expect(result.isError ?? false).toBe(false);
    expect(JSON.stringify(result.content)).toContain('http');
    await client.close();
  });

  it('reads the metadata of the resource at both addresses, also from a page', async () => {
    for (const path of ['', MCP]) {
      const response = await fetch(`${service.url}/.well-known/oauth-protected-resource${path}`);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(await response.json()).toMatchObject({
        resource: service.url + MCP,
        authorization_servers: [provider.issuer],
        scopes_supported: ['tidemark.read'],
        bearer_methods_supported: ['header'],
      });
    }
  });
});

describe('An access token', () => {
  it('opens the account of its person, with the limits that its keys share', async () => {
    const { subject, email } = await newOwner();
    const { text: key } = await access().createKey(email, 'one');
    const left = async (bearer: string) => Number((await call(bearer)).headers['x-ratelimit-remaining-minute']);
    expect([await left(await tokenOf(subject)), await left(key)]).toEqual([119, 118]);
  });

  it('is no key: every other route refuses it', async () => {
    const { subject } = await newOwner();
    const { status, headers, body } = await service.get('/api/v1/topics', await tokenOf(subject));
    expect([status, body.error?.code, headers.get('www-authenticate')]).toEqual([401, 'invalid_key', 'Bearer']);
  });

  const HS256 = `${Buffer.from('{"alg":"HS256","typ":"at+jwt"}').toString('base64url')}.e30.eA`;
  const NONE = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.e30.`;
  it.each([
    ['another audience', { aud: 'https://other.example' }, {}],
    ['another issuer', { iss: 'https://evil.example' }, {}],
    ['an end in the past', { exp: 1_700_000_000 }, {}],
    ['no end', { exp: undefined }, {}],
    ['no subject', { sub: undefined }, {}],
    ['the type of an ID token', {}, { typ: 'JWT' }],
    ['too many characters', { padding: 'x'.repeat(8_000) }, {}],
  ])('is refused before anybody is asked: %s', async (_, claims, header) => {
    const { subject } = await newOwner();
    const asked = provider.requests.get('/jwks');
    const { status, headers, body } = await call(await tokenOf(subject, claims, header));
    expect([status, body.error?.data?.code]).toEqual([401, 'invalid_token']);
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
    expect(provider.requests.get('/jwks')).toBe(asked);
  });

  it.each([
    ['a shared secret', HS256],
    ['no signature', NONE],
  ])('is refused without a signature of the provider: %s', async (_, text) => {
    expect(await codeOf(text)).toBe('invalid_token');
  });

  it('is refused if its claims were changed', async () => {
    const { subject } = await newOwner();
    const [one, other] = [await tokenOf(subject), await tokenOf('another')];
    const mixed = [one.split('.')[0], other.split('.')[1], one.split('.')[2]].join('.');
    expect(await codeOf(mixed)).toBe('invalid_token');
  });

  it('is refused by a challenge that names the scope that it lacks', async () => {
    const { subject } = await newOwner();
    const { status, headers, body } = await call(await tokenOf(subject, { scope: 'openid tidemark.reader' }));
    expect([status, body.error?.data?.code]).toEqual([403, 'insufficient_scope']);
    expect(headers['www-authenticate']).toBe(
      `Bearer error="insufficient_scope", resource_metadata="${service.url}/.well-known/oauth-protected-resource${MCP}", scope="tidemark.read"`,
    );
  });

  it('is refused by a sentence that says what to do if its person has no account', async () => {
    const { status, body } = await call(await tokenOf('nobody'));
    expect([status, body.error?.data?.code]).toEqual([403, 'unlinked_identity']);
    expect(body.error?.message).toContain('Sign in once at `/account`');
  });

  it('opens nothing once its account is suspended, or the identity is gone with it', async () => {
    const { subject, email } = await newOwner();
    const token = await tokenOf(subject);
    expect(await codeOf(token)).toBeNull();
    await service.access.setStatus(email, 'suspended');
    await service.server.app.get(Heartbeat).poll();
    expect(await codeOf(token)).toBe('account_suspended');
    await service.access.deleteAccount(email);
    await service.server.app.get(Heartbeat).poll();
    expect(await codeOf(token)).toBe('unlinked_identity');
  });

  it('waits on a new Free account as long as the first key would', async () => {
    const { subject } = await newOwner('free');
    const { status, body } = await call(await tokenOf(subject));
    expect([status, body.error?.data?.code]).toEqual([403, 'plan_reach_exceeded']);
    clock.advance(DAY_MS);
    expect(await codeOf(await tokenOf(subject))).toBeNull();
  });

  it('counts as a failed attempt of its address if it fails; a valid one is served still', async () => {
    const { subject } = await newOwner();
    const codes = [];
    for (let count = 0; count < 21; count += 1) codes.push(await codeOf(NONE));
    expect(new Set(codes)).toEqual(new Set(['invalid_token', 'too_many_failed_attempts']));
    expect(await codeOf(await tokenOf(subject))).toBeNull();
  });
});

describe('A request without a key', () => {
  it('learns where to get a token on the MCP endpoint, and nowhere else', async () => {
    const { status, headers } = await post(service.url, CALL);
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      `Bearer resource_metadata="${service.url}/.well-known/oauth-protected-resource${MCP}", scope="tidemark.read"`,
    ]);
    const other = await service.get('/api/v1/topics', null);
    expect(other.headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('A request with a wrong or revoked key', () => {
  it('learns where to get a token on the MCP endpoint, and nowhere else', async () => {
    const { email } = await newOwner();
    const { key, text: revoked } = await access().createKey(email, 'one');
    await access().revokeKey(key.id);
    await service.server.app.get(Heartbeat).poll();
    for (const [wrong, code] of [
      ['tm_wrong', 'invalid_key'],
      [revoked, 'revoked_key'],
    ] as const) {
      const { status, headers, body } = await call(wrong);
      expect([status, body.error?.data?.code, headers['www-authenticate']]).toEqual([
        401,
        code,
        `Bearer error="invalid_token", resource_metadata="${service.url}/.well-known/oauth-protected-resource${MCP}", scope="tidemark.read"`,
      ]);
      const other = await service.get('/api/v1/topics', wrong);
      expect(other.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('learns it with the URL that asks for other tools, too', async () => {
    const { headers } = await exchange(service.url, `${MCP}?tools=search`, { method: 'POST', key: 'tm_wrong' });
    expect(headers['www-authenticate']).toContain(`oauth-protected-resource${MCP}"`);
  });
});

describe('The keys of the provider', () => {
  it('verify tokens while it is away, and are read again for an unknown key at most twice a minute', async () => {
    const { subject } = await newOwner();
    expect(await codeOf(await tokenOf(subject))).toBeNull();
    const asked = provider.requests.get('/jwks') ?? 0;
    for (const kid of ['one', 'two', 'three']) {
      expect(await codeOf(await tokenOf(subject, {}, { kid }))).toBe('invalid_token');
    }
    expect(provider.requests.get('/jwks')).toBeLessThanOrEqual(asked + 1);
    await provider.stop();
    clock.advance(3_600_000);
    expect(await codeOf(await tokenOf(subject))).toBeNull();
    clock.advance(DAY_MS);
    expect(await codeOf(await tokenOf(subject))).toBe('unavailable');
    await provider.start();
    clock.advance(30_000);
    expect(await codeOf(await tokenOf(subject))).toBeNull();
  });

  it('are found after the provider has changed them', async () => {
    const { subject } = await newOwner();
    const other = await start(await freePort(), { OIDC_MCP_AUDIENCE: service.url + MCP });
    provider.meddle = (context) => {
      if (context.path === '/jwks') context.body = { keys: [] };
    };
    expect(await codeOf(await tokenOf(subject), other.url)).toBe('invalid_token');
    provider.meddle = null;
    clock.advance(30_000);
    expect(await codeOf(await tokenOf(subject), other.url)).toBeNull();
    await other.close();
  });

  it('leave a clear 503 where none are known, while API keys work', async () => {
    const { subject, email } = await newOwner();
    const { text: key } = await access().createKey(email, 'one');
    const aud = service.url + MCP;
    const other = await start(await freePort(), { OIDC_MCP_AUDIENCE: aud });
    await provider.stop();
    const { status, headers, body } = await call(await tokenOf(subject), other.url);
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect(body.error?.message).toContain('The OpenID provider does not respond');
    expect(await codeOf(key, other.url)).toBeNull();
    await provider.start();
    clock.advance(30_000);
    expect(await codeOf(await tokenOf(subject), other.url)).toBeNull();
    await other.close();
  });
});
