import { readConfig } from '../../src/domain/config/config.js';
import { ConfigError } from '../../src/domain/config/config-error.js';
import { misspelt } from '../../src/domain/config/misspelt.js';

const mistakes = (variables: Record<string, string>): readonly string[] => {
  try {
    readConfig(variables);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
};

describe('The configuration', () => {
  it('names the variable that an unknown one resembles, and leaves those of other programs alone', () => {
    const meant = (name: string, set = {}) => misspelt({ [name]: 'x', ...set })[0]?.match(/mean (\w+)/)?.[1];
    expect(meant('DATABSE_URL')).toBe('DATABASE_URL');
    expect(meant('redis_url')).toBe('REDIS_URL');
    expect(meant('DATABSE_URL', { DATABASE_URL: 'x' })).toBeUndefined();
    const others = ['HOME', 'HOSTNAME', 'PATH', 'PWD', 'NODE_OPTIONS', 'DATABASE_PORT', 'BASH_ENV', 'XDG_DATA_DIRS'];
    expect(others.map((name) => meant(name))).toEqual(others.map(() => undefined));
  });

  it('needs no variable', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      host: '127.0.0.1',
      port: 3000,
      baseUrl: null,
      dataDir: '.tidemark',
      database: { api: null, import: null, admin: null },
      redisUrl: null,
      peppers: null,
    });
  });

  it('treats an empty variable as unset', () => {
    expect(readConfig({ PORT: ' ', REDIS_URL: '' })).toMatchObject({ port: 3000, redisUrl: null });
  });

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '0'],
    ['PORT', '70000'],
    ['NODE_ENV', 'Production'],
    ['LOG_LEVEL', 'loud'],
    ['BASE_URL', 'example.com'],
    ['BASE_URL', 'https://user@example.com'],
    ['BASE_URL', 'https://example.com/?a=b'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_REPLICA_URL', 'mysql://x'],
    ['REDIS_URL', 'http://x'],
    ['KEY_PEPPER', 'short:1'],
    ['ESTAT_APP_ID', 'not an id'],
    ['TRUSTED_PROXIES', 'nonsense'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['CORS_ORIGINS', 'foo'],
    ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/33'],
    ['WEBHOOKS', 'maybe'],
    ['ALERT_MAIL', 'yes'],
    ['EIA_API_KEY', 'not a code'],
    ['CORS_ORIGINS', 'https://app.example.com/path'],
    ['SECURITY_CONTACT', 'security@example.com'],
    ['SIGN_UP', 'maybe'],
    ['OIDC_ISSUER', 'http://login.example.com'],
    ['OIDC_ISSUER', 'https://login.example.com/?tenant=1'],
    ['OIDC_NAME', 'two\nlines'],
    ['OIDC_SCOPES', 'email profile'],
    ['SECURITY_CONTACT', 'https://example.com/\nContact: mailto:x@example.com'],
  ])('refuses %s=%s in one line that names the variable and not its value', (name, value) => {
    const lines = mistakes({ [name]: value });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(new RegExp(`^${name}: must be`));
    if (name === 'KEY_PEPPER') expect(lines[0]).not.toContain(value);
  });

  it('reports all mistakes at once', () => {
    expect(mistakes({ PORT: 'x', REDIS_URL: 'x' })).toHaveLength(2);
  });

  it('needs a pepper in production', () => {
    expect(mistakes({ NODE_ENV: 'production' })).toEqual([expect.stringMatching(/^KEY_PEPPER: must be set/)]);
    expect(mistakes({ NODE_ENV: 'production', KEY_PEPPER: `a:${'p'.repeat(16)}` })).toEqual([]);
  });

  it('accepts a replica only with a configured database', () => {
    const url = 'postgres://replica.example/tidemark';
    expect(mistakes({ DATABASE_REPLICA_URL: url })).toEqual([
      expect.stringMatching(/^DATABASE_URL: must be set where DATABASE_REPLICA_URL is/),
    ]);
    const several = `${url}, postgresql://second.example/tidemark`;
    const { database } = readConfig({ DATABASE_REPLICA_URL: several, DATABASE_URL: 'postgres://db.example/x' });
    expect(database.replicas).toEqual([url, 'postgresql://second.example/tidemark']);
    expect(mistakes({ DATABASE_REPLICA_URL: `${url},mysql://x`, DATABASE_URL: 'postgres://db.example/x' })).toEqual([
      expect.stringMatching(/^DATABASE_REPLICA_URL: must be URLs/),
    ]);
  });

  it('parses lists, ranges and origins', () => {
    const config = readConfig({
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      CORS_ORIGINS: 'https://app.example.com',
      BASE_URL: 'https://data.example.com/tidemark/',
    });
    expect(config.trustedProxies).toEqual(['10.0.0.0/8', '::1']);
    expect(config.corsOrigins).toEqual(['https://app.example.com']);
    expect(config.baseUrl).toBe('https://data.example.com/tidemark');
  });

  const OIDC = { OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'the secret' };
  const PRODUCTION = { NODE_ENV: 'production', KEY_PEPPER: `a:${'p'.repeat(16)}`, BASE_URL: 'https://t.example' };
  const SMTP_URL = 'smtp://mail.example';

  it('has single sign-on by an issuer with its client, called by its host unless it has a name', () => {
    expect(readConfig({}).oidc).toBeNull();
    expect(readConfig(OIDC).oidc).toEqual({
      issuer: 'https://login.example',
      clientId: 'a',
      clientSecret: 'the secret',
      name: 'login.example',
      scopes: ['openid', 'email'],
      mcpAudience: null,
    });
    expect(readConfig({ ...OIDC, OIDC_ISSUER: 'http://127.0.0.1:8080/realm' }).oidc?.name).toBe('127.0.0.1:8080');
  });

  it.each([
    ['OIDC_ISSUER', { OIDC_CLIENT_ID: 'a' }],
    ['OIDC_ISSUER', { SIGN_UP: 'oidc' }],
    ['OIDC_CLIENT_SECRET', { ...OIDC, OIDC_CLIENT_SECRET: '' }],
    ['OIDC_ISSUER', { ...PRODUCTION, ...OIDC, OIDC_ISSUER: 'http://localhost' }],
    ['BASE_URL', { ...PRODUCTION, ...OIDC, BASE_URL: '' }],
  ])('names %s where single sign-on lacks it', (name, variables) => {
    const lines = mistakes(variables);
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^${name}: must be`))]);
    expect(lines.join()).not.toContain('the secret');
  });

  it.each([
    ['open', {}],
    ['closed', PRODUCTION],
    ['open', { ...PRODUCTION, SMTP_URL }],
    ['oidc', { ...PRODUCTION, ...OIDC }],
    ['open', { ...PRODUCTION, ...OIDC, SMTP_URL }],
    ['oidc', { ...PRODUCTION, ...OIDC, SMTP_URL, SIGN_UP: 'oidc' }],
    ['closed', { ...PRODUCTION, ...OIDC, SIGN_UP: 'closed' }],
  ])('has sign-up %s with %j', (signUp, variables) => {
    expect(readConfig(variables).signUp).toBe(signUp);
  });

  it.each([
    [true, {}],
    [false, { ALERT_MAIL: 'off' }],
    [false, PRODUCTION],
    [true, { ...PRODUCTION, SMTP_URL }],
  ])('sends mails of alerts: %s with %j', (email, variables) => {
    expect(readConfig(variables).notifications.email).toBe(email);
  });
});
