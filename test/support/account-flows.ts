import type { DataSource } from 'typeorm';
import { normalizeEmail } from '../../src/serve/access/accounts/email.js';
import { isLive } from '../../src/serve/access/keys/key-rules.js';
import { Passwords } from '../../src/serve/access/sign-in/passwords.js';
import { Sessions } from '../../src/serve/access/sign-in/sessions.js';
import { MOST_WEBHOOKS } from '../../src/people/notifications/notifications.js';
import { PLANS, PLAN_TERMS, type Plan } from '../../src/domain/plans/plans.js';
import { DAY_MS, HOUR_MS, MAIL_EVERY_MS, type Act, type Flow, type Move } from './account-moves.js';
import type { StoppedClock } from './clock.js';
import type { Mailbox } from './mailbox.js';
import type { TestServer } from './server.js';
import { until } from './until.js';
import { Visitor } from './visitor.js';

const PASSWORDS = ['tide and moon 47', 'another tide 48', 'the third tide 49'] as const;
const GUESS = 'not the password 50';
const MOST_ROTATIONS_AN_HOUR = 5;
const OWNERS_ACTS: readonly Act[] = ['change_password', 'end_session', 'sign_out', 'delete'];

interface StoredKey {
  readonly id: string;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly replaces: string | null;
}

/** What the database says of the mailbox. */
interface Stored {
  readonly accounts: readonly { readonly id: string; readonly plan: Plan }[];
  readonly keys: readonly StoredKey[];
  readonly sessions: readonly { readonly id: string }[];
  readonly webhooks: readonly { readonly id: string }[];
  readonly rotations: number;
}

export interface FlowWorld {
  readonly service: TestServer;
  readonly mailbox: Mailbox;
  readonly clock: StoppedClock;
  readonly source: DataSource;
  /** A key of another account. */
  readonly strangersKey: string;
}

/** One person's use of the account page. */
export class AccountFlow {
  private static count = 0;
  private readonly email = `flow-${String((AccountFlow.count += 1))}@mail.example`;
  private readonly browsers: readonly [Visitor, Visitor];
  /** The password that opens the account; null: none, or unknown after two changes at once. */
  private password: string | null = null;
  private before: Stored = { accounts: [], keys: [], sessions: [], webhooks: [], rotations: 0 };
  /** The first life of each key, which its successors keep at most; Infinity: no end. */
  private readonly lives = new Map<string, number>();
  private readonly log: string[] = [];

  constructor(private readonly world: FlowWorld) {
    const { url } = world.service;
    this.browsers = [new Visitor(url, 'Firefox'), new Visitor(url, 'Chrome')];
  }

  /** @throws Error that names the broken promise and the moves before it */
  async run({ plan, steps }: Flow): Promise<void> {
    // The limits of each flow are unused.
    this.world.clock.advance(2 * DAY_MS);
    if (plan === null) await this.signUp();
    else await this.open(plan);
    this.before = await this.stored();
    for (const { afterMs, moves } of steps) {
      const isMail = moves.some(({ act }) => act === 'forget');
      this.world.clock.advance(isMail ? Math.max(afterMs, MAIL_EVERY_MS) : afterMs);
      this.log.push(`${String(afterMs)} ms, ${moves.map((one) => this.nameOf(one)).join(' & ')}`);
      await this.step(moves);
    }
  }

  private nameOf({ act, browser, choice, opens, twice }: Move): string {
    return `${act}(${String(choice)}) by ${String(browser)}${opens ? '' : ', blind'}${twice ? ', twice' : ''}`;
  }

  private async signUp(): Promise<void> {
    for (const act of ['sign_up', 'confirm'] as const) {
      await this.step([{ act, browser: 0, choice: 0, opens: true, twice: false }]);
    }
    this.promise('a sign-up makes one account', this.before.accounts.length === 1);
  }

  /** An account with a password, signed in by both browsers: most flows begin there. */
  private async open(plan: Plan): Promise<void> {
    const { service, clock, source } = this.world;
    const now = new Date(clock.wall());
    const signedUpAt = new Date(now.getTime() - DAY_MS);
    const { id } = await service.access.createAccount({ email: this.email, plan, signedUpAt });
    [this.password] = PASSWORDS;
    await source.query('INSERT INTO account_passwords (account_id, hash, changed_at) VALUES ($1, $2, $3)', [
      id,
      await new Passwords().hash(this.password),
      now,
    ]);
    const sessions = new Sessions(source, () => now);
    for (const browser of this.browsers) {
      const token = await sessions.start(source.manager, id, { name: 'flow', address: '127.0.0.x' });
      browser.cookie = `tidemark-local=${token}`;
    }
  }

  private async step(moves: readonly Move[]): Promise<void> {
    const cookies = this.browsers.map(({ cookie }) => cookie);
    const links = this.links('reset|link').length;
    const done = await Promise.all(moves.map((one) => this.make(one)));
    const isMailed = moves.some(({ act }, at) => act === 'forget' && done[at] === true);
    const hadAccount = this.before.accounts.length === 1;
    const now = await this.stored();
    if (isMailed && hadAccount && now.accounts[0]?.id === this.before.accounts[0]?.id) {
      await until(20_000, 'a link by mail', () => Promise.resolve(this.links('reset|link').length > links));
    }
    this.checkKeys(now);
    this.promise('a mailbox is one account', now.accounts.length <= 1);
    this.promise('webhooks keep their cap', now.webhooks.length <= MOST_WEBHOOKS);
    this.promise('rotations keep their limit', now.rotations <= MOST_ROTATIONS_AN_HOUR);
    await this.checkSessions(moves, done, cookies, now);
    this.before = now;
  }

  /** @returns whether the form was accepted */
  private async make(one: Move): Promise<boolean> {
    const { browser: at, opens, choice, act } = one;
    if (act === 'change_plan') {
      if (this.before.accounts.length === 0) return false;
      const plan = PLANS[choice % PLANS.length] ?? 'free';
      // A form at the same time may have deleted the account.
      return this.world.service.access.setPlan(this.email, plan).then(
        () => true,
        () => false,
      );
    }
    const form = this.formOf(one);
    const browser = this.browsers[at];
    // Two moves at once may share a browser: each reads its own responses.
    const first = this.copyOf(browser);
    if (opens) this.answered(await first.open(form.page));
    const [, newKeyId] = /name="new_key_id" value="([^"]+)"/.exec(first.html) ?? [];
    const [, newChannelId] = /name="new_channel_id" value="([^"]+)"/.exec(first.html) ?? [];
    const fields = {
      ...form.fields,
      ...(newKeyId !== undefined && { new_key_id: newKeyId }),
      ...(newChannelId !== undefined && { new_channel_id: newChannelId }),
    };
    const { cookie } = first;
    const sent = [first, ...(one.twice ? [this.copyOf(first)] : [])];
    await Promise.all(sent.map(async (visitor) => this.answered(await visitor.send(form.path, fields))));
    if (first.cookie !== cookie) browser.cookie = first.cookie;
    browser.html = first.html;
    // Nobody's form leads to the sign-in, as an owner's last one does; the latter also replaces the cookie.
    const isNobodys = ({ html, cookie: after }: Visitor) =>
      OWNERS_ACTS.includes(act) && after === cookie && html.includes('action="/account/sign-in');
    return sent.some(
      (visitor) => visitor.status === 200 && !visitor.html.includes('class="refusal"') && !isNobodys(visitor),
    );
  }

  private copyOf({ cookie, html }: Visitor): Visitor {
    return Object.assign(new Visitor(this.world.service.url), { cookie, html });
  }

  private formOf({ act, choice }: Move): { page: string; path: string; fields: Record<string, string> } {
    const { email, password, before } = this;
    const pick = <T>(all: readonly T[]): T | undefined => all[choice % Math.max(1, all.length)];
    const other = PASSWORDS[choice % PASSWORDS.length] ?? PASSWORDS[0];
    const form = (path: string, fields: Record<string, string> = {}, page = path) => ({ page, path, fields });
    const behind = (path: string) => {
      const token = this.links(path).at(choice % 3 === 0 ? 0 : -1) ?? 'A'.repeat(43);
      return form(`/account/${path}`, { token, password: other }, `/account/${path}?token=${token}`);
    };
    // Mostly the newest key, sometimes an old one or another account's.
    const own = choice % 4 === 0 ? pick(before.keys) : before.keys.at(-1);
    const key = choice % 20 === 19 ? this.world.strangersKey : (own?.id ?? 'key_x');
    const ofKey = (path: string, fields: Record<string, string> = {}) =>
      form(`/account/keys/${path}`, { id: key, ...fields }, `/account/keys/one?id=${key}`);
    const notices = '/account/notifications';
    switch (act) {
      case 'sign_up':
        return form('/account/sign-up', { email: pick([email, email.toUpperCase()]) ?? email });
      case 'confirm':
        return behind('confirm');
      case 'sign_in':
        return form('/account/sign-in', { email, password: password ?? other });
      case 'guess':
        return form('/account/sign-in', { email, password: GUESS });
      case 'sign_out':
        return form('/account/sign-out', {}, '/account');
      case 'forget':
        return form('/account/forgotten', { email, ...(choice % 2 === 0 && { link: 'sign_in' }) });
      case 'reset':
        return behind('reset');
      case 'follow_link':
        return behind('link');
      case 'change_password':
        return form('/account/password', { old: choice % 4 === 0 ? GUESS : (password ?? ''), password: other });
      case 'end_session':
        return form('/account/sessions', { id: pick(before.sessions)?.id ?? 'ses_x' });
      case 'delete':
        return form('/account/delete', { password: choice % 3 === 0 ? (password ?? '') : GUESS });
      case 'make_key':
        return form('/account/keys/new', {
          name: `key ${String(choice)}`,
          expiry: pick(['never', '30', '90', '365']) ?? '',
        });
      case 'rotate_key':
        return ofKey('rotate', { grace: pick(['0', '1', '24', '168']) ?? '' });
      case 'revoke_key':
        return ofKey('revoke');
      case 'add_webhook':
        return form(`${notices}/webhooks`, { url: `https://hooks.invalid/${String(choice % 7)}` }, notices);
      case 'remove_webhook':
        return form(`${notices}/remove`, { id: pick(before.webhooks)?.id ?? 'chn_x' }, notices);
      case 'set_mail':
        return form(`${notices}/mail`, { on: String(choice % 2) }, notices);
      case 'send_test':
        return form(`${notices}/test`, {}, notices);
      case 'change_plan':
        throw new Error('The operator changes plans by a command');
    }
  }

  private answered({ status, html }: Visitor): void {
    this.promise(`no page fails: ${String(status)} ${html.slice(0, 300)}`, status > 0 && status < 500);
  }

  private checkKeys({ accounts, keys }: Stored): void {
    const now = new Date(this.world.clock.wall());
    const live = (all: readonly StoredKey[]) => all.filter((key) => isLive(key, now));
    const cap = Math.max(
      ...[...accounts, ...this.before.accounts].map(({ plan }) => PLAN_TERMS[plan].liveKeys),
      live(this.before.keys).length,
    );
    this.promise(`live keys stay below the cap of ${String(cap)}`, live(keys).length <= Math.max(0, cap));
    for (const { id, expiresAt, replaces } of keys) {
      const end = expiresAt?.getTime() ?? Infinity;
      const life = this.lives.get(id) ?? this.lives.get(replaces ?? '') ?? end;
      this.promise(`the life of ${id} never grows`, end <= life);
      if (!this.lives.has(id)) this.lives.set(id, end);
      const successors = keys.filter((key) => key.replaces === id);
      this.promise(`${id} has one successor`, successors.length <= 1);
    }
    for (const key of live(keys)) {
      const previous = live(keys).find(({ id }) => id === key.replaces);
      const first = live(keys).find(({ id }) => id === previous?.replaces);
      this.promise(`${key.id} has one predecessor in grace`, first === undefined);
    }
    for (const { id, revokedAt } of this.before.keys.filter((key) => key.revokedAt !== null)) {
      const after = keys.find((key) => key.id === id);
      const isSame = after === undefined || after.revokedAt?.getTime() === revokedAt?.getTime();
      this.promise(`${id} stays revoked`, isSame);
    }
  }

  /** @param cookies of the browsers before the moves */
  private async checkSessions(
    moves: readonly Move[],
    done: readonly boolean[],
    cookies: readonly string[],
    now: Stored,
  ): Promise<void> {
    const did = (...acts: readonly Act[]) => moves.filter(({ act }, at) => acts.includes(act) && done[at]);
    const others = (than: readonly Move[]) => moves.some((one) => !than.includes(one));
    const changes = did('confirm', 'reset', 'change_password');
    const guesses = did('guess');
    this.promise('a wrong password opens nothing', guesses.length === 0);
    const [change] = changes;
    if (change !== undefined) {
      const to = PASSWORDS[change.choice % PASSWORDS.length] ?? null;
      const isClear = changes.every(({ choice }) => PASSWORDS[choice % PASSWORDS.length] === to);
      // Of two changes at once, the database knows which came last; a later reset makes it known.
      this.password = isClear ? to : null;
      const isEnding = changes.some(({ act }) => act !== 'confirm') && !did('sign_out', 'end_session').length;
      if (isEnding) {
        for (const cookie of cookies) await this.closed('a new password ends each session', cookie);
        const signedIn = did('sign_in', 'follow_link').length > 0;
        this.promise('a new password leaves one session', signedIn || now.sessions.length <= 1);
      }
    }
    if (now.accounts.length === 0) this.password = null;
    if (did('delete').length > 0 && !others(did('delete'))) {
      this.promise('a deleted account leaves nothing', now.accounts.length + now.sessions.length === 0);
      for (const cookie of cookies) await this.closed('a deleted account opens to nobody', cookie);
    }
    const outs = did('sign_out');
    if (outs.length > 0 && !others(outs)) {
      for (const { browser, opens } of outs) {
        if (opens) await this.closed('who signed out is out', cookies[browser] ?? '');
      }
    }
  }

  private async closed(promise: string, cookie: string): Promise<void> {
    if (cookie === '') return;
    const visitor = new Visitor(this.world.service.url);
    visitor.cookie = cookie;
    const { status } = await visitor.open('/account');
    this.promise(`${promise}: ${String(status)}`, status === 303 || status === 429);
  }

  private promise(what: string, isKept: boolean): void {
    if (!isKept) throw new Error(`Not kept: ${what}, for ${this.email}\n${this.log.join('\n')}`);
  }

  /** The tokens of the mailed links to these pages, oldest first. */
  private links(page: string): string[] {
    const link = new RegExp(`/account/(?:${page})\\?[^\\s]*token=([\\w-]{43})`);
    return this.world.mailbox
      .all(this.email)
      .map(({ text }) => link.exec(text)?.[1])
      .filter((token) => token !== undefined);
  }

  private async stored(): Promise<Stored> {
    const now = new Date(this.world.clock.wall());
    const [found] = await this.world.source.query<{ found: Stored }[]>(
      `WITH own AS (SELECT id, plan FROM accounts WHERE lower(email) = $1)
       SELECT json_build_object(
         'accounts', (SELECT coalesce(json_agg(own), '[]') FROM own),
         'keys', (SELECT coalesce(json_agg(json_build_object('id', id, 'expiresAt', expires_at, 'revokedAt', revoked_at,
            'replaces', replaces) ORDER BY created_at, replaces IS NOT NULL), '[]')
            FROM api_keys WHERE account_id IN (SELECT id FROM own)),
         'sessions', (SELECT coalesce(json_agg(json_build_object('id', id) ORDER BY id), '[]')
            FROM account_sessions WHERE account_id IN (SELECT id FROM own) AND expires_at > $2 AND last_used_at > $3),
         'webhooks', (SELECT coalesce(json_agg(json_build_object('id', id) ORDER BY id), '[]')
            FROM notification_channels WHERE account_id IN (SELECT id FROM own) AND kind = 'webhook'),
         'rotations', (SELECT count(*) FROM audit_events WHERE account_id IN (SELECT id FROM own)
            AND action = 'key_rotated' AND at > $4)) AS found`,
      [normalizeEmail(this.email), now, new Date(now.getTime() - DAY_MS), new Date(now.getTime() - HOUR_MS)],
    );
    if (found === undefined) throw new Error('The database answers nothing');
    const day = (text: unknown): Date | null => (typeof text === 'string' ? new Date(text) : null);
    const keys = found.found.keys.map((key) => ({
      ...key,
      expiresAt: day(key.expiresAt),
      revokedAt: day(key.revokedAt),
    }));
    return { ...found.found, keys };
  }
}
