import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { SSO_LOG, SSO_SETTINGS, type SsoSettings } from './serve/access/keys/access.module.js';
import { Peppers } from './serve/access/keys/peppers.js';
import { CLOCK } from './domain/config/clock.js';
import { CONFIG, type Config } from './domain/config/config.js';
import { CONNECTIONS, type Connections } from './store/connections.js';
import { DATABASE_LOG, DATABASE_TIMEOUTS, IS_PRODUCTION, PRODUCTION_TIMEOUTS } from './store/database.module.js';
import { EventLoopMonitor } from './serve/http/overload/event-loop-monitor.js';
import { MCP_PATH } from './serve/http/request/early-checks.middleware.js';
import { metadataUrl } from './serve/http/pages/well-known.js';
import { HTTP_SETTINGS, type HttpSettings } from './serve/http/settings.js';
import { SYSTEM_CLOCK } from './serve/limits/rate-limit-store.js';
import { Log } from './serve/log/log.js';
import { URL_SETTINGS } from './serve/responses/url-builder.service.js';

/** The resources that a process opens before it starts the server. */
export interface Instance {
  readonly config: Config;
  readonly connections: Connections;
  readonly peppers: Peppers;
  readonly log: Log;
  readonly baseUrl: string;
}

const CACHE_BYTES = 64 * 1024 * 1024;

/** The values that other modules inject. */
@Module({})
export class InstanceModule {
  /** @param replacements replace the providers of the same tokens: tests replace clocks and time-outs */
  static of(instance: Instance, replacements: readonly Provider[]): DynamicModule {
    const { config, connections, peppers, log } = instance;
    const providers: Provider[] = [
      { provide: CONFIG, useValue: config },
      { provide: CONNECTIONS, useValue: connections },
      { provide: Peppers, useValue: peppers },
      { provide: Log, useValue: log },
      { provide: HTTP_SETTINGS, useValue: httpSettings(instance) },
      { provide: URL_SETTINGS, useExisting: HTTP_SETTINGS },
      { provide: CLOCK, useValue: SYSTEM_CLOCK },
      { provide: EventLoopMonitor, useFactory: () => new EventLoopMonitor() },
      { provide: IS_PRODUCTION, useValue: config.production },
      { provide: DATABASE_LOG, useExisting: Log },
      { provide: SSO_SETTINGS, useValue: ssoSettings(instance) },
      { provide: SSO_LOG, useExisting: Log },
      { provide: DATABASE_TIMEOUTS, useValue: PRODUCTION_TIMEOUTS },
      ...replacements,
    ];
    return {
      module: InstanceModule,
      global: true,
      providers,
      exports: providers.map((provider) => ('provide' in provider ? provider.provide : provider)),
    };
  }
}

function httpSettings({ config, baseUrl }: Instance): HttpSettings {
  const { trustedProxies, corsOrigins, mcpOrigins, securityContact, publicPages } = config;
  const configured = { trustedProxies, corsOrigins, mcpOrigins, securityContact, publicPages };
  return { baseUrl, ...configured, cacheBytes: CACHE_BYTES };
}

function ssoSettings({ config: { oidc }, baseUrl }: Instance): SsoSettings | null {
  if (oidc === null) return null;
  const resource = baseUrl + MCP_PATH;
  return {
    provider: { ...oidc, redirectUri: `${baseUrl}/account/sso/callback`, signedOutUri: `${baseUrl}/account/sign-in` },
    resource: {
      issuer: oidc.issuer,
      audience: oidc.mcpAudience ?? resource,
      resource,
      metadataUrl: metadataUrl(baseUrl),
    },
  };
}
