import { createHash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { DataSource, EntityManager } from 'typeorm';
import { asAccount, enterScope, withCredential } from '../../../store/account-scope.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { Plan } from '../../../domain/plans/plans.js';
import { newId } from '../accounts/new-id.js';
import { LOOKUPS, Turns } from '../keys/turns.js';

export const IDLE_MS = 24 * 3_600_000;
const ABSOLUTE_MS = 14 * 24 * 3_600_000;
/** The minimum interval between writes of a session's last use. */
const TOUCH_MS = 60_000;
/** Sessions that an instance remembers. */
const MOST_KNOWN = 10_000;

/** The client of a session, so that its owner can tell sessions apart. */
export interface Client {
  readonly name: string;
  /** A shortened address. */
  readonly address: string;
}

/** A valid session with its account. */
export interface SignedIn {
  readonly sessionId: string;
  readonly accountId: string;
  readonly email: string;
  readonly plan: Plan;
  readonly status: 'active' | 'suspended';
  readonly signedUpAt: Date;
  readonly locale: Locale;
  readonly hasPassword: boolean;
  /** The OpenID provider that signed the owner in; null: a password or a mailed link. */
  readonly issuer: string | null;
  /** When the owner last signed in again at the provider; null: never in this session. */
  readonly confirmedAt: Date | null;
}

/** How the owner of a new session proved who they are. */
export interface SignInProof {
  readonly issuer: string | null;
  readonly confirmedAt: Date | null;
}

const BY_US: SignInProof = { issuer: null, confirmedAt: null };

export interface StoredSession extends Client {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

const LIVE = 'expires_at > $2 AND last_used_at > $3';

/** Login sessions. A cookie holds 256 random bits; the table holds their hash. */
export class Sessions {
  private readonly known = new LRUCache<string, true>({ max: MOST_KNOWN });

  constructor(
    private readonly database: DataSource,
    private readonly now: () => Date,
    private readonly lookups = new Turns(LOOKUPS),
  ) {}

  /** Whether this instance last found a session of the token, without a query. */
  isKnown(token: string): boolean {
    return this.known.has(hashToken(token).toString('base64url'));
  }

  /** @returns the token for the cookie; it is stored nowhere else */
  async start(
    on: EntityManager,
    accountId: string,
    { name, address }: Client,
    { issuer, confirmedAt }: SignInProof = BY_US,
  ): Promise<string> {
    const token = randomToken();
    const now = this.now();
    await on.query(
      `INSERT INTO account_sessions
         (id, account_id, hash, created_at, last_used_at, expires_at, client, address, issuer, confirmed_at)
       VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9)`,
      [
        newId('ses'),
        accountId,
        hashToken(token),
        now,
        new Date(now.getTime() + ABSOLUTE_MS),
        name.slice(0, 100),
        address,
        issuer,
        confirmedAt,
      ],
    );
    return token;
  }

  async find(token: string): Promise<SignedIn | null> {
    const rank = this.isKnown(token) ? 'known' : 'sign_in';
    const found = await this.lookups.run(rank, () => this.read(token));
    const key = hashToken(token).toString('base64url');
    if (found === null) this.known.delete(key);
    else this.known.set(key, true);
    return found;
  }

  private async read(token: string): Promise<SignedIn | null> {
    const [now, hash] = [this.now(), hashToken(token)];
    return withCredential(this.database, hash, async (manager) => {
      const [owner] = await manager.query<{ id: string }[]>(
        'SELECT account_id AS id FROM account_sessions WHERE hash = $1',
        [hash],
      );
      if (owner === undefined) return null;
      await enterScope(manager, 'account', owner.id);
      const [found] = await manager.query<(SignedIn & { lastUsedAt: Date })[]>(
        `SELECT s.id AS "sessionId", s.last_used_at AS "lastUsedAt", a.id AS "accountId", a.email, a.plan, a.status,
           a.signed_up_at AS "signedUpAt", a.locale, s.issuer, s.confirmed_at AS "confirmedAt",
           EXISTS (SELECT FROM account_passwords p WHERE p.account_id = a.id) AS "hasPassword"
         FROM account_sessions s JOIN accounts a ON a.id = s.account_id WHERE s.hash = $1 AND ${LIVE}`,
        [hash, now, idleSince(now)],
      );
      if (found === undefined) return null;
      if (now.getTime() - found.lastUsedAt.getTime() > TOUCH_MS) {
        const touch = 'UPDATE account_sessions SET last_used_at = $2 WHERE id = $1';
        await manager.query(touch, [found.sessionId, now]);
      }
      return found;
    });
  }

  list(accountId: string): Promise<StoredSession[]> {
    const now = this.now();
    return asAccount(this.database, accountId, (manager) =>
      manager.query<StoredSession[]>(
        `SELECT id, client AS name, address, created_at AS "createdAt", last_used_at AS "lastUsedAt"
         FROM account_sessions WHERE account_id = $1 AND ${LIVE} ORDER BY last_used_at DESC, id`,
        [accountId, now, idleSince(now)],
      ),
    );
  }

  /** Ends every session that the OpenID provider opened. */
  async endOf(on: EntityManager, accountId: string, issuer: string): Promise<void> {
    await on.query('DELETE FROM account_sessions WHERE account_id = $1 AND issuer = $2', [accountId, issuer]);
  }

  /** Ends the session; returns whether it existed. */
  async end(accountId: string, id: string): Promise<boolean> {
    const [, count] = await asAccount(this.database, accountId, (manager) =>
      manager.query<[object[], number]>('DELETE FROM account_sessions WHERE account_id = $1 AND id = $2', [
        accountId,
        id,
      ]),
    );
    return count > 0;
  }
}

export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function idleSince(now: Date): Date {
  return new Date(now.getTime() - IDLE_MS);
}
