import type { Budget } from './rate-limit-store.js';
import { MINUTE_MS } from './window.js';

/** Redis counts a token as admitted until a minute after its lease ends, unless it comes back. */
export const TOKEN_LEASE_MS = MINUTE_MS;
/** An instance leases at most this part of an account's minute. */
const PARTS = 16;
const ASK_AGAIN_MS = 250;

interface Token {
  readonly name: string;
  /** On the monotonic clock. */
  readonly until: number;
}

interface Stock {
  tokens: Token[];
  /** Names of tokens that are to be returned. */
  returned: string[];
  askedAt: number;
}

/** The tokens that Redis leased to this instance: each admits one request that Redis has already counted. */
export class Leases {
  /** By account, in the order in which they last asked or got tokens. */
  private readonly stocks = new Map<string, Stock>();

  /** How many tokens the next command should ask for, and the tokens that it returns. */
  request(
    key: string,
    { perMinute, perDay }: Budget,
    now: number,
  ): { readonly wanted: number; readonly returned: readonly string[] } {
    if (perDay === 0) return { wanted: 0, returned: [] };
    const stock = this.stockOf(key);
    const { returned } = stock;
    stock.returned = [];
    const newest = stock.tokens.at(-1)?.until ?? 0;
    if (newest > now + TOKEN_LEASE_MS / 2 || stock.askedAt > now - ASK_AGAIN_MS) return { wanted: 0, returned };
    stock.askedAt = now;
    this.stocks.delete(key);
    this.stocks.set(key, stock);
    return { wanted: Math.ceil(perMinute / PARTS), returned };
  }

  /** Stores tokens; the ones of before come back if their lease is half over. */
  grant(key: string, names: readonly string[], until: number): void {
    const stock = this.stockOf(key);
    const isOld = (token: Token): boolean => token.until < until - TOKEN_LEASE_MS / 2;
    stock.returned.push(...stock.tokens.filter(isOld).map(({ name }) => name));
    stock.tokens = stock.tokens.filter((token) => !isOld(token));
    stock.tokens.push(...names.map((name) => ({ name, until })));
    this.stocks.delete(key);
    this.stocks.set(key, stock);
  }

  /** How many tokens can be used. */
  count(key: string, now: number): number {
    return this.stocks.get(key)?.tokens.filter(({ until }) => until > now).length ?? 0;
  }

  /** @returns the name of a token that is now used */
  take(key: string, now: number): string | undefined {
    const stock = this.stocks.get(key);
    const index = stock?.tokens.findIndex(({ until }) => until > now) ?? -1;
    return index < 0 ? undefined : stock?.tokens.splice(index, 1)[0]?.name;
  }

  /** Takes an account's tokens out of use. @returns their names */
  surrender(key: string): readonly string[] {
    const stock = this.stocks.get(key);
    if (stock === undefined) return [];
    const names = [...stock.returned, ...stock.tokens.map(({ name }) => name)];
    [stock.tokens, stock.returned] = [[], []];
    return names;
  }

  /** Takes the tokens of ended leases out of use. @returns their names by account */
  expire(now: number): readonly (readonly [key: string, names: readonly string[]])[] {
    const expired: (readonly [string, readonly string[]])[] = [];
    for (const [key, { tokens, askedAt }] of this.stocks) {
      const last = Math.max(tokens.at(-1)?.until ?? 0, askedAt + TOKEN_LEASE_MS);
      if (last > now) break;
      const names = this.surrender(key);
      this.stocks.delete(key);
      if (names.length > 0) expired.push([key, names]);
    }
    return expired;
  }

  private stockOf(key: string): Stock {
    const known = this.stocks.get(key);
    if (known !== undefined) return known;
    const stock: Stock = { tokens: [], returned: [], askedAt: -Infinity };
    this.stocks.set(key, stock);
    return stock;
  }
}
