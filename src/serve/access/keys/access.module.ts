import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CLOCK, type Clock } from '../../../domain/config/clock.js';
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
export const SSO_SETTINGS = Symbol('SsoSettings');
/** Receives the warnings of single sign-on. */
export const SSO_LOG = Symbol('SsoLog');

export interface SsoSettings {
  readonly provider: ProviderSettings;
  readonly resource: ResourceSettings;
}

const PROVIDERS = [
  {
    provide: KeyVerifier,
    inject: [CallerLookup, Peppers],
    useFactory: (callers: CallerLookup, peppers: Peppers) => new KeyVerifier(callers, peppers),
  },
  { provide: IdentityProvider, inject: [SSO_SETTINGS, CLOCK, SSO_LOG], useFactory: identityProvider },
  {
    provide: AccessTokenVerifier,
    inject: [SSO_SETTINGS, { token: IdentityProvider, optional: true }, CallerLookup, CLOCK],
    useFactory: tokenVerifier,
  },
];

/** Accounts, their keys, and the verification of keys and access tokens. */
@Global()
@Module({
  // Entities of other modules refer to these; only commands, which use another role, read them through TypeORM.
  imports: [TypeOrmModule.forFeature([Account, ApiKey])],
  providers: [
    ...PROVIDERS,
    {
      provide: CallerLookup,
      inject: [DataSource, Heartbeat, CLOCK],
      useFactory: (database: DataSource, heartbeat: Heartbeat, clock: Clock) =>
        new CallerLookup(singleReads(poolOf(database)), heartbeat, clock),
    },
  ],
  exports: PROVIDERS.map(({ provide }) => provide),
})
export class AccessModule {}

function identityProvider(
  settings: SsoSettings | null,
  clock: Clock,
  log: { readonly warn: WarnOperator },
): IdentityProvider | null {
  if (settings === null) return null;
  return new IdentityProvider(settings.provider, clock, (message, fields) => log.warn(message, fields));
}

function tokenVerifier(
  settings: SsoSettings | null,
  provider: IdentityProvider | null,
  callers: CallerLookup,
  clock: Clock,
): AccessTokenVerifier | null {
  if (settings === null || provider === null) return null;
  const keys = new ProviderKeys(() => provider.jwksUri(), clock);
  return new AccessTokenVerifier(settings.resource, keys, callers, clock);
}
