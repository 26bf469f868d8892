import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CLOCK } from '../../../domain/config/clock.js';
import { provider, type Token } from '../../../domain/config/provider.js';
import { Heartbeat } from '../../../store/heartbeat.js';
import { poolOf, singleReads } from '../../../store/snapshots.js';
import { Account } from '../accounts/account.entity.js';
import { AccessTokenVerifier, type ResourceSettings } from './access-token-verifier.js';
import { ApiKey } from './api-key.entity.js';
import { CallerLookup } from './caller-lookup.js';
import { IdentityProvider, type ProviderSettings } from '../single-sign-on/identity-provider.js';
import { KeyVerifier } from './key-verifier.js';
import { Peppers } from './peppers.js';
import { ProviderKeys } from '../single-sign-on/provider-keys.js';
import type { WarnOperator } from '../single-sign-on/provider-failure.js';

/** The OpenID provider and the resource that it protects; null without one. */
export const SSO_SETTINGS: Token<SsoSettings | null> = Symbol('SsoSettings');
/** Receives the warnings of single sign-on. */
export const SSO_LOG: Token<{ readonly warn: WarnOperator }> = Symbol('SsoLog');

export interface SsoSettings {
  readonly provider: ProviderSettings;
  readonly resource: ResourceSettings;
}

const OPTIONAL_PROVIDER = { token: IdentityProvider, optional: true } as const;

const PROVIDERS = [
  provider(KeyVerifier, [CallerLookup, Peppers], (callers, peppers) => new KeyVerifier(callers, peppers)),
  provider(IdentityProvider, [SSO_SETTINGS, CLOCK, SSO_LOG], (settings, clock, log) => {
    if (settings === null) return null;
    return new IdentityProvider(settings.provider, clock, (message, fields) => log.warn(message, fields));
  }),
  provider(
    AccessTokenVerifier,
    [SSO_SETTINGS, OPTIONAL_PROVIDER, CallerLookup, CLOCK],
    (settings, identities, callers, clock) => {
      if (settings === null || identities === null) return null;
      const keys = new ProviderKeys(() => identities.jwksUri(), clock);
      return new AccessTokenVerifier(settings.resource, keys, callers, clock);
    },
  ),
];

/** Accounts, their keys, and the verification of keys and access tokens. */
@Global()
@Module({
  // Entities of other modules refer to these; only commands, which use another role, read them through TypeORM.
  imports: [TypeOrmModule.forFeature([Account, ApiKey])],
  providers: [
    ...PROVIDERS,
    provider(
      CallerLookup,
      [DataSource, Heartbeat, CLOCK],
      (database, heartbeat, clock) => new CallerLookup(singleReads(poolOf(database)), heartbeat, clock),
    ),
  ],
  exports: PROVIDERS.map(({ provide }) => provide),
})
export class AccessModule {}
