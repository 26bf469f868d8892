import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../../domain/config/clock.js';
import { PROVIDER_TIMEOUT_SECONDS, providerFetch } from './provider-fetch.js';

/** After this, the keys are read again behind a request, which still uses the old. */
const FRESH_MS = 10 * 60_000;
/** How long keys verify tokens while the provider is away. */
const LONGEST_MS = 24 * 3_600_000;
/** At most one read in this time, failed ones included: a token can name any key. */
const READ_INTERVAL_MS = 30_000;
/** The same while no keys are known. */
const FIRST_READ_INTERVAL_MS = 5_000;

/** The provider could not be asked for its keys, and none are known. */
export class KeysUnavailableError extends Error {}

/** The public keys with which the provider signs access tokens (JWKS). */
export class ProviderKeys {
  private known: { readonly keys: JWTVerifyGetKey; readonly readAt: number } | undefined;
  private reading: Promise<void> | undefined;
  private askedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly jwksUri: () => Promise<string>,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** The key that a token names. @throws KeysUnavailableError, or an error of the library for an unknown key */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    if (this.age > LONGEST_MS) await this.read();
    else if (this.age > FRESH_MS) void this.read();
    if (this.known === undefined || this.age > LONGEST_MS) throw new KeysUnavailableError();
    try {
      return await this.known.keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !(await this.read())) throw error;
      return this.known.keys(header, token);
    }
  };

  private get age(): number {
    return this.clock.monotonic() - (this.known?.readAt ?? Number.NEGATIVE_INFINITY);
  }

  /** Reads the keys once for all who wait; whether it asked the provider. */
  private async read(): Promise<boolean> {
    const interval = this.known === undefined ? FIRST_READ_INTERVAL_MS : READ_INTERVAL_MS;
    const isDue = this.clock.monotonic() - this.askedAt >= interval;
    if (this.reading === undefined && !isDue) return false;
    this.reading ??= this.ask().finally(() => (this.reading = undefined));
    await this.reading;
    return true;
  }

  private async ask(): Promise<void> {
    this.askedAt = this.clock.monotonic();
    try {
      const signal = AbortSignal.timeout(PROVIDER_TIMEOUT_SECONDS * 1_000);
      const headers = { accept: 'application/json' };
      const response = await providerFetch(await this.jwksUri(), { signal, headers });
      if (response.status !== 200) return;
      const keys = createLocalJWKSet((await response.json()) as JSONWebKeySet);
      this.known = { keys, readAt: this.clock.monotonic() };
    } catch {
      // The known keys stay in use.
    }
  }
}
