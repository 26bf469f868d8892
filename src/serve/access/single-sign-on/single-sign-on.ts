import { asAccount } from '../../../store/account-scope.js';
import type { SignUpMode } from '../../../domain/config/oidc.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { AccessError, signUpClosed } from '../accounts/access-error.js';
import { audit, type AuditAction } from '../accounts/audit-log.js';
import type { AuthorizationRequest, AuthorizationRequests, RequestPurpose } from './authorization-requests.js';
import { accountOfIdentity, deleteIdentity, insertIdentity, linkedAt } from './identities.js';
import type { Authenticated, IdentityProvider } from './identity-provider.js';
import type { NoticeKind } from '../accounts/mail.js';
import type { Client, SignedIn, SignInProof } from '../sign-in/sessions.js';
import type { SignIn } from '../sign-in/sign-in.js';
import type { SignUpParts } from '../sign-in/sign-up.js';

/** Providers round their times to seconds. */
const ROUNDING_MS = 2_000;

/** The browser that begins or completes a sign-in. */
export interface Browser {
  readonly cookie: string;
  /** The key under which its address counts. */
  readonly addressKey: string;
  readonly client: Client;
  /** Its session, if it has one. */
  readonly owner: SignedIn | null;
}

export interface SingleSignOnParts extends SignUpParts {
  readonly provider: IdentityProvider;
  readonly requests: AuthorizationRequests;
  readonly signIn: SignIn;
  readonly signUpMode: SignUpMode;
}

/** Signs people in by the OpenID provider, and links accounts with its identities. */
export class SingleSignOn {
  constructor(private readonly parts: SingleSignOnParts) {}

  /**
   * The URL at the provider to which the browser is sent.
   * @throws AccessError `sso_unavailable`, `too_many_attempts`
   */
  async begin(
    purpose: RequestPurpose,
    { cookie, addressKey, owner }: Pick<Browser, 'cookie' | 'addressKey' | 'owner'>,
    locale: Locale,
  ): Promise<URL> {
    const { prices, requests, provider } = this.parts;
    await prices.take('single_sign_on', { address: addressKey });
    const accountId = purpose === 'sign_in' ? null : (owner?.accountId ?? null);
    return provider.authorizationUrl(await requests.make({ purpose, accountId, locale }, cookie));
  }

  /** @throws AccessError `wrong_credentials`, `sso_needs_password`; see `begin` */
  async beginLink(owner: SignedIn, password: string, browser: Browser, locale: Locale): Promise<URL> {
    if (!owner.hasPassword) {
      throw new AccessError('Only the password proves who owns the account', { code: 'sso_needs_password' });
    }
    await this.parts.signIn.verify(owner, password);
    return this.begin('link', browser, locale);
  }

  /** The request to which a response belongs. @throws AccessError `sso_expired` */
  expect(state: string, cookie: string): Promise<AuthorizationRequest> {
    return this.parts.requests.consume(state, cookie);
  }

  /**
   * Completes a request with the parameters of its response.
   * @returns the token of a new session; null if the session stays
   */
  async complete(
    request: AuthorizationRequest,
    sent: Readonly<Record<string, string>>,
    browser: Browser,
  ): Promise<string | null> {
    const { accountId } = request;
    const { owner } = browser;
    if (accountId !== null && owner?.accountId !== accountId) {
      throw new AccessError('The session that began has ended', { code: 'sign_in_first' });
    }
    const person = await this.parts.provider.authenticate(sent, request);
    if (accountId === null || owner === null) return this.signIn(person, request.locale, browser);
    if (request.purpose === 'confirm') return this.confirm(person, request, accountId, browser);
    await this.link(owner, person, browser.client);
    return null;
  }

  /** When the account was linked; null if it is not. */
  linkedAt({ accountId }: SignedIn): Promise<Date | null> {
    return linkedAt(this.parts.database, accountId, this.issuer);
  }

  /**
   * Ends every session that the provider opened. Requires a password, because the owner could not sign in afterwards.
   * @returns the token of a new session in place of one of the provider; null if the session stays
   * @throws AccessError `wrong_credentials`, `sso_needs_password`
   */
  async unlink(owner: SignedIn, password: string, client: Client): Promise<string | null> {
    if (!owner.hasPassword) {
      throw new AccessError('Nobody could sign in to the account', { code: 'sso_needs_password' });
    }
    await this.parts.signIn.verify(owner, password);
    const { database, sessions, signIn } = this.parts;
    const { accountId } = owner;
    const isUnlinked = await asAccount(database, accountId, async (manager) => {
      await sessions.endOf(manager, accountId, this.issuer);
      if (!(await deleteIdentity(manager, accountId, this.issuer))) return false;
      await audit(manager, ...this.event(accountId, 'identity_unlinked', client));
      return true;
    });
    if (isUnlinked) this.notify(owner, 'identity_unlinked', client);
    if (owner.issuer !== this.issuer) return null;
    return asAccount(database, accountId, (manager) => signIn.start(manager, accountId, client));
  }

  private notify(owner: SignedIn, kind: NoticeKind, { address }: Client): void {
    const { notify, now, provider } = this.parts;
    notify(owner, { kind, at: now(), address, name: provider.settings.name });
  }

  private get issuer(): string {
    return this.parts.provider.settings.issuer;
  }

  private async signIn(person: Authenticated, locale: Locale, browser: Browser): Promise<string> {
    const { database, signIn } = this.parts;
    const known = await accountOfIdentity(database, person);
    const proof: SignInProof = { issuer: person.issuer, confirmedAt: null };
    if (known !== null) {
      return asAccount(database, known, (manager) => signIn.start(manager, known, browser.client, proof));
    }
    return this.signUp(person, locale, browser, proof);
  }

  private async signUp(
    person: Authenticated,
    locale: Locale,
    { client, addressKey }: Browser,
    proof: SignInProof,
  ): Promise<string> {
    const { database, access, prices, signIn, signUpMode, now } = this.parts;
    if (signUpMode === 'closed') throw signUpClosed();
    const email = await person.verifiedEmail();
    if (email === null) {
      throw new AccessError('The provider has not verified an address', { code: 'sso_email_unverified' });
    }
    await prices.take('sign_up', { address: addressKey });
    const owned = access.as({ kind: 'owner', address: client.address });
    return database
      .transaction(async (manager) => {
        const wanted = { email, plan: 'free', signedUpAt: now(), locale } as const;
        const { id } = await owned.createIn(manager, wanted);
        await insertIdentity(manager, id, person, now());
        await audit(manager, ...this.event(id, 'identity_linked', client));
        return signIn.start(manager, id, client, proof);
      })
      .catch((error: unknown) => {
        // An address proves nothing: its account is linked by its own password only.
        const isTaken = error instanceof AccessError && error.refusal?.code === 'has_account';
        throw isTaken ? new AccessError(error.message, { code: 'sso_has_account' }) : error;
      });
  }

  private async link(owner: SignedIn, person: Authenticated, client: Client): Promise<void> {
    const { database, now } = this.parts;
    const { accountId } = owner;
    const isLinked = await asAccount(database, accountId, async (manager) => {
      if (!(await insertIdentity(manager, accountId, person, now()))) return false;
      await audit(manager, ...this.event(accountId, 'identity_linked', client));
      return true;
    });
    if (isLinked) this.notify(owner, 'identity_linked', client);
    else await this.refuseOther(accountId, person);
  }

  /** Replaces the session, because its rights grow. */
  private async confirm(
    person: Authenticated,
    { createdAt }: AuthorizationRequest,
    accountId: string,
    { owner, client }: Browser,
  ): Promise<string> {
    const { database, sessions, signIn, now } = this.parts;
    const requestAge = now().getTime() - createdAt.getTime() + ROUNDING_MS;
    if (person.signInAge === null || person.signInAge * 1_000 > requestAge) {
      throw new AccessError('The provider did not ask the person to sign in again', { code: 'sso_failed' });
    }
    await this.refuseOther(accountId, person);
    if (owner !== null) await sessions.end(accountId, owner.sessionId);
    const proof = { issuer: person.issuer, confirmedAt: now() };
    return asAccount(database, accountId, (manager) => signIn.start(manager, accountId, client, proof));
  }

  private async refuseOther(accountId: string, person: Authenticated): Promise<void> {
    if ((await accountOfIdentity(this.parts.database, person)) === accountId) return;
    throw new AccessError('The identity is not that of the account', { code: 'sso_other_identity' });
  }

  private event(accountId: string, action: AuditAction, { address }: Client) {
    const at = this.parts.now();
    return [
      { kind: 'owner', address },
      { accountId, action, at },
    ] as const;
  }
}
