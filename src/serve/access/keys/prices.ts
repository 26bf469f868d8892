import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { tooManyAttempts } from '../accounts/access-error.js';

/** Acts in any rolling minute and in a UTC day; null: the day has no limit. */
interface Budget {
  readonly perMinute: number;
  readonly perDay: number | null;
}

/** `address`: an IPv4 address or an IPv6 /64. `subject`: the mailbox, session or account that the act is about. */
type Price = Readonly<Partial<Record<'address' | 'subject' | 'everybody', Budget>>>;

/** Each act that needs no key, with its limits. A route, a mail or a hash that strangers can cause has a line here. */
export const PRICES = {
  /** A page with figures; the operator can change it. */
  page: { address: { perMinute: 60, perDay: 2_000 } },
  /** A page with figures, for a search engine whose address its DNS confirms. */
  crawled_page: { address: { perMinute: 600, perDay: null } },
  /** A page or a form of an owner who is signed in; the subject is the session. */
  owner_page: { subject: { perMinute: 120, perDay: null } },
  /** A page of the account page for anybody else. */
  account_page: { address: { perMinute: 120, perDay: null } },
  /** A form of anybody else, before it is read. */
  account_form: { address: { perMinute: 30, perDay: null } },
  failed_key: { address: { perMinute: 20, perDay: null } },
  /** One hash. The subject is the mailbox, seen from one network. */
  sign_in: { address: { perMinute: 20, perDay: 600 }, subject: { perMinute: 10, perDay: 100 } },
  /** The same from a network where the owner has never signed in; the subject is the mailbox. */
  sign_in_elsewhere: { subject: { perMinute: 30, perDay: 200 }, everybody: { perMinute: 600, perDay: null } },
  sign_up: { address: { perMinute: 5, perDay: 20 } },
  /** The subject is the session. */
  confirm_password: { subject: { perMinute: 10, perDay: 100 } },
  /** One hash, behind a link; the subject is the mailbox. */
  set_password: { subject: { perMinute: 5, perDay: 50 } },
  single_sign_on: { address: { perMinute: 30, perDay: null } },
  /** A form that leads to a mail, whether or not the address has an account. */
  request_mail: { address: { perMinute: 10, perDay: 50 } },
  /** One bucket for each kind of mail, so that none can use up another's. */
  mail_sign_up: { subject: { perMinute: 3, perDay: 10 } },
  mail_reset: { subject: { perMinute: 1, perDay: null } },
  mail_sign_in: { subject: { perMinute: 1, perDay: null } },
  /** An audit row; the subject is the account, seen from one network. */
  failed_sign_in_row: { subject: { perMinute: 1, perDay: 20 } },
  /** Sends to every channel of the account, which is the subject. */
  notification_test: { subject: { perMinute: 5, perDay: 50 } },
} as const satisfies Record<string, Price>;

export type Act = keyof typeof PRICES;
/** Who pays for the act: an address, a subject, or both. */
export type PayerOf<A extends Act> = Readonly<Record<Exclude<keyof (typeof PRICES)[A], 'everybody'>, string>>;

/** The part of a store of limits that prices need. */
export interface ActCounter {
  /** `via` is `lease` or `fallback` if Redis did not decide. */
  admit(
    key: string,
    budget: Budget,
    baseline: () => Promise<number>,
  ): Promise<{ readonly admitted: boolean; readonly retryAfterMs: number; readonly via: string }>;
}

/** An IPv6 /48 may do as much as this many /64 together. */
const ADDRESSES_OF_SITE = 8;
/** Refused payers that an instance remembers, so that a flood of refused acts reaches no store. */
const MOST_REFUSED = 10_000;
/** What refuses for longer than the rolling minute is the day. */
const MINUTE_MS = 61_000;
const NOTHING = () => Promise.resolve(0);

/** Counts the acts of people without a key, for all instances together. */
export class Prices {
  private readonly refusedUntil = new LRUCache<string, number>({ max: MOST_REFUSED });

  /**
   * @param alone decides while `shared` cannot: a late Redis refuses nobody, and each instance keeps the limits
   * @param now milliseconds of a clock that never jumps
   */
  constructor(
    private readonly shared: ActCounter,
    private readonly alone: ActCounter,
    private readonly now: () => number,
    private readonly prices: Readonly<Record<Act, Price>> = PRICES,
  ) {}

  /**
   * Counts the act, or refuses it. The widest limit comes last, so that one address cannot use up what all share.
   * @returns milliseconds until it is allowed; 0: it is allowed now
   */
  async wait<A extends Act>(act: A, payer: PayerOf<A>): Promise<number> {
    for (const [key, budget] of bucketsOf(act, this.prices[act], payer)) {
      const waitMs = await this.admit(createHash('sha256').update(key).digest('base64url'), budget);
      if (waitMs > 0) return waitMs;
    }
    return 0;
  }

  async allows<A extends Act>(act: A, payer: PayerOf<A>): Promise<boolean> {
    return (await this.wait(act, payer)) === 0;
  }

  /** @throws AccessError `too_many_attempts` or `too_many_today`, with the time to wait */
  async take<A extends Act>(act: A, payer: PayerOf<A>): Promise<void> {
    const waitMs = await this.wait(act, payer);
    if (waitMs === 0) return;
    throw tooManyAttempts(waitMs, waitMs > MINUTE_MS ? 'too_many_today' : 'too_many_attempts');
  }

  private async admit(key: string, budget: Budget): Promise<number> {
    const waitMs = (this.refusedUntil.get(key) ?? 0) - this.now();
    if (waitMs > 0) return waitMs;
    const decided = await this.shared.admit(key, budget, NOTHING);
    const isAlone = decided.via === 'lease' || decided.via === 'fallback';
    const { admitted, retryAfterMs } = isAlone ? await this.alone.admit(key, budget, NOTHING) : decided;
    if (admitted) return 0;
    if (!isAlone) this.refusedUntil.set(key, this.now() + retryAfterMs);
    return Math.max(1, retryAfterMs);
  }
}

/** Keys contain addresses of people, so stores receive hashes of them. */
function* bucketsOf(
  act: Act,
  { address, subject, everybody }: Price,
  payer: Readonly<Partial<Record<string, string>>>,
): Iterable<[key: string, budget: Budget]> {
  const from = payer['address'] ?? '';
  if (address !== undefined) yield [`${act} ${from}`, address];
  const site = siteOf(from);
  if (address !== undefined && site !== null) yield [`${act} ${site}`, times(address, ADDRESSES_OF_SITE)];
  if (subject !== undefined) yield [`${act} of ${payer['subject'] ?? ''}`, subject];
  if (everybody !== undefined) yield [act, everybody];
}

/** The /48 of the key of an IPv6 network. */
function siteOf(addressKey: string): string | null {
  const [, network] = /^addr:(.+)\/64$/.exec(addressKey) ?? [];
  if (network === undefined) return null;
  return `${ipaddr.fromByteArray(ipaddr.parse(network).toByteArray().fill(0, 6)).toString()}/48`;
}

function times({ perMinute, perDay }: Budget, count: number): Budget {
  return { perMinute: perMinute * count, perDay: perDay === null ? null : perDay * count };
}
