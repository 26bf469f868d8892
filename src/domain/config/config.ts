import { z } from 'zod';
import { ConfigError } from './config-error.js';
import { isContact, isOrigin, isPlainAddress, isRange } from './formats.js';
import { notificationVariables, readNotifications, type NotificationSettings } from './notifications.js';
import { oidcMistakes, oidcVariables, readOidc, type Oidc, type SignUpMode } from './oidc.js';
import { pageVariables, readPages, type PageSettings } from './pages.js';
import type { Token } from './provider.js';

// The only reader of the environment: one schema, one frozen object, one clear line per mistake.

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port, 1 to 65535')
  .transform(Number)
  .refine((number) => number >= 1 && number <= 65_535, 'must be a port, 1 to 65535');
const drainSeconds = z
  .string()
  .regex(/^\d{1,3}$/, 'must be whole seconds, 0 to 300')
  .transform(Number)
  .refine((number) => number <= 300, 'must be whole seconds, 0 to 300');
const databaseUrl = z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://');
const list = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((item) => item !== ''));

const areDatabaseUrls = (urls: string[]): boolean => urls.every((url) => databaseUrl.safeParse(url).success);
const databaseUrls = list.refine(areDatabaseUrls, 'must be URLs that begin with postgres://, by commas');

const pepper = z.string().transform((text, context) => {
  const peppers = text.split(',').map((pair) => {
    const [, id, value] = /^([A-Za-z0-9_-]{1,16}):(.{16,})$/.exec(pair.trim()) ?? [];
    return { id: id ?? '', value: value ?? '' };
  });
  if (peppers.some(({ id }) => id === '')) {
    context.addIssue('must be id:value[,id:value], each value of at least 16 characters');
  }
  return peppers;
});

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

/** Collector of traces, OTLP over HTTP as JSON. */
const collector = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'must be an http or https address');

const environment = z.object({
  NODE_ENV: oneOf(['development', 'production', 'test']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  BASE_URL: z
    .string()
    .refine(isPlainAddress, 'must be an http or https address without user, query or fragment')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  DATA_DIR: z.string().min(1).default('.tidemark'),
  CATALOGUE_DIR: z.string().optional(),
  DRAIN_SECONDS: drainSeconds.default(2),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_ACCOUNT_URL: databaseUrl.optional(),
  DATABASE_IMPORT_URL: databaseUrl.optional(),
  DATABASE_ADMIN_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URL: databaseUrls,
  METRICS_PORT: port.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.optional(),
  OTEL_SERVICE_NAME: z.string().max(100).default('tidemark'),
  REDIS_URL: z
    .string()
    .regex(
      /^rediss?(\+(sentinel|cluster))?:\/\/\S/,
      'must begin with redis:// or rediss://, or with redis+sentinel:// or redis+cluster:// for several hosts',
    )
    .refine(
      (url) => !url.includes('+sentinel:') || /\?name=[^&]+$/.test(url),
      'of Redis Sentinel must end with ?name=, the name of the primary',
    )
    .optional(),
  KEY_PEPPER: pepper.optional(),
  TRUSTED_PROXIES: list.refine(
    (ranges) => ranges.every(isRange),
    'must be addresses or CIDR ranges, separated by commas',
  ),
  CORS_ORIGINS: list.refine(
    (origins) => origins.every(isOrigin),
    'must be origins such as https://app.example.com, separated by commas, or *',
  ),
  MCP_ALLOWED_ORIGINS: list.refine(
    (origins) => origins.every(isOrigin),
    'must be origins such as https://app.example.com, separated by commas, or *',
  ),
  ...pageVariables,
  ...oidcVariables,
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/\S/, 'must begin with smtp:// or smtps://')
    .optional(),
  ...notificationVariables,
  MAIL_FROM: z.string().regex(/\S@\S/, 'must be an e-mail address').default('tidemark@localhost'),
  SECURITY_CONTACT: z
    .string()
    .refine(isContact, 'must be mailto: with an e-mail address, or an https address')
    .optional(),
  SEC_USER_AGENT: z.string().regex(/\S@\S/, 'must be a name and an e-mail address, as the SEC asks for').optional(),
  EIA_API_KEY: z
    .string()
    .regex(/^\w{20,64}$/, 'must be an access code of the EIA: letters and digits')
    .optional(),
  ESTAT_APP_ID: z
    .string()
    .regex(/^\w{1,64}$/, 'must be an application id of e-Stat: letters and digits')
    .optional(),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

/** The names of all variables. */
export const VARIABLES: readonly string[] = Object.keys(environment.shape);

export interface Pepper {
  readonly id: string;
  readonly value: string;
}

export const CONFIG: Token<Config> = Symbol('Config');

export interface Config extends PageSettings {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash; null until the port is known. */
  readonly baseUrl: string | null;
  readonly dataDir: string;
  /** How long the process serves requests after a shutdown signal, so that load balancers notice. */
  readonly drainSeconds: number;
  readonly database: {
    readonly api: string | null;
    /** For accounts, passwords and sessions. */
    readonly account: string | null;
    readonly import: string | null;
    readonly admin: string | null;
    /** Streaming replicas, for reads of content. */
    readonly replicas: readonly string[];
  };
  readonly redisUrl: string | null;
  /** Port of the Prometheus metrics; null: no metrics. */
  readonly metricsPort: number | null;
  /** URL of the trace collector; null: no traces. */
  readonly traces: { readonly url: string; readonly service: string } | null;
  /** The first signs new keys. Null: create one and keep it in `dataDir`. */
  readonly peppers: readonly Pepper[] | null;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  /** Allowed besides the service's own origin. */
  readonly mcpOrigins: readonly string[];
  /** Contact in `security.txt`; null: no such file. */
  readonly securityContact: string | null;
  /** Whether people can make accounts themselves: in production only with a mail server or an OpenID provider. */
  readonly signUp: SignUpMode;
  /** Null: no single sign-on. */
  readonly oidc: Oidc | null;
  /** Contains the login; null: the terminal shows mails. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  readonly notifications: NotificationSettings;
  readonly logLevel: string;
  /** Contact in the user agent, which the SEC requires. */
  readonly secUserAgent: string | null;
  /** The operator's API keys, by publisher; never logged. */
  readonly accessCodes: Readonly<Record<string, string | null>>;
}

/** Reads the environment. An empty variable counts as unset. */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim() !== ''));
  const parsed = environment.safeParse(set);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  }
  const env = parsed.data;
  const production = env.NODE_ENV === 'production';
  const mistakes = crossChecks(env, production);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  // Development shows mails on the terminal.
  const canMail = !production || env.SMTP_URL !== undefined;
  return Object.freeze({
    production,
    host: env.HOST,
    port: env.PORT,
    baseUrl: env.BASE_URL ?? null,
    dataDir: env.DATA_DIR,
    drainSeconds: env.DRAIN_SECONDS,
    database: Object.freeze({
      api: env.DATABASE_URL ?? null,
      account: env.DATABASE_ACCOUNT_URL ?? null,
      import: env.DATABASE_IMPORT_URL ?? null,
      admin: env.DATABASE_ADMIN_URL ?? null,
      replicas: env.DATABASE_REPLICA_URL,
    }),
    redisUrl: env.REDIS_URL ?? null,
    metricsPort: env.METRICS_PORT ?? null,
    traces: tracesOf(env),
    peppers: env.KEY_PEPPER ?? null,
    trustedProxies: env.TRUSTED_PROXIES,
    corsOrigins: env.CORS_ORIGINS,
    mcpOrigins: env.MCP_ALLOWED_ORIGINS,
    ...readPages(env),
    securityContact: env.SECURITY_CONTACT ?? null,
    ...readOidc(env, canMail),
    smtpUrl: env.SMTP_URL ?? null,
    mailFrom: env.MAIL_FROM,
    notifications: readNotifications(env, canMail),
    logLevel: env.LOG_LEVEL,
    secUserAgent: env.SEC_USER_AGENT ?? null,
    accessCodes: Object.freeze({ eia: env.EIA_API_KEY ?? null, estat: env.ESTAT_APP_ID ?? null }),
  });
}

function tracesOf(env: z.infer<typeof environment>): Config['traces'] {
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '');
  const url = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base === undefined ? null : `${base}/v1/traces`);
  return url === null ? null : Object.freeze({ url, service: env.OTEL_SERVICE_NAME });
}

function crossChecks(env: z.infer<typeof environment>, production: boolean): string[] {
  const mistakes = oidcMistakes(env, production);
  if (production && env.KEY_PEPPER === undefined) {
    mistakes.push('KEY_PEPPER: must be set in production (id:value), the same on every instance');
  }
  if (env.METRICS_PORT === env.PORT) {
    mistakes.push('METRICS_PORT: must not be PORT: metrics are never on the public port');
  }
  if (!env.DATABASE_URL && (env.DATABASE_ACCOUNT_URL ?? env.DATABASE_IMPORT_URL ?? env.DATABASE_ADMIN_URL)) {
    mistakes.push('DATABASE_URL: must be set where DATABASE_ACCOUNT_URL, DATABASE_IMPORT_URL or DATABASE_ADMIN_URL is');
  }
  if (!env.DATABASE_URL && env.DATABASE_REPLICA_URL.length > 0) {
    mistakes.push('DATABASE_URL: must be set where DATABASE_REPLICA_URL is: a replica is a copy of it');
  }
  return mistakes;
}
