import { Controller, Get, Post } from '@nestjs/common';
import { Access } from '../../serve/access/accounts/access.js';
import { listAudit } from '../../serve/access/accounts/audit-log.js';
import { firstKeyAt, isLive } from '../../serve/access/keys/key-rules.js';
import { listKeyUses } from '../../serve/access/keys/key-uses.js';
import type { RefusedRequests } from '../../serve/limits/usage.entity.js';
import { Sessions, type SignedIn } from '../../serve/access/sign-in/sessions.js';
import { SignIn } from '../../serve/access/sign-in/sign-in.js';
import { asAccount } from '../../store/account-scope.js';
import { PLAN_TERMS } from '../../domain/plans/plans.js';
import { AccountDatabase } from './account-database.js';
import { AccountPage, OnRefusal } from './account-page.decorator.js';
import { AccountExchange, Exchange } from './account-exchange.js';
import { USE_BY_DAY, USE_BY_HOUR, USE_BY_MINUTE, usageChart, type UsedSpan } from './usage-chart.js';

const AUDIT_ROWS = 200;
/** The share of a day's requests from which on the page warns. */
const NEAR_LIMIT = 0.8;

/** The account's overview, and the actions that concern the whole account. */
/** $1 the account */
const REFUSED = 'SELECT requests FROM refused_requests WHERE account_id = $1';

@AccountPage()
@Controller('account')
export class AccountController {
  constructor(
    private readonly access: Access,
    private readonly signIn: SignIn,
    private readonly sessions: Sessions,
    private readonly database: AccountDatabase,
  ) {}

  @Get()
  async overview(@Exchange() page: AccountExchange): Promise<void> {
    const { owner } = page;
    const { receivedAt: now, today } = page.request.context;
    const { source } = this.database;
    const { accountId } = owner;
    const [all, uses, { days, hours, minutes, refused }] = await Promise.all([
      this.access.listKeys(owner.email),
      listKeyUses(source, accountId),
      asAccount(source, accountId, async (manager) => ({
        days: await manager.query<UsedSpan[]>(USE_BY_DAY, [accountId, today]),
        hours: await manager.query<UsedSpan[]>(USE_BY_HOUR, [accountId, now]),
        minutes: await manager.query<UsedSpan[]>(USE_BY_MINUTE, [accountId, now]),
        refused: await manager.query<RefusedRequests[]>(REFUSED, [accountId]),
      })),
    ]);
    const terms = PLAN_TERMS[owner.plan];
    const keys = all.filter((key) => key.reads === null && isLive(key, now));
    const used = days.at(-1)?.admitted ?? 0;
    page.show('account-overview', {
      terms,
      keys,
      used,
      canMake: keys.length < terms.liveKeys,
      lastUseOf: (id: string) => uses.find(({ keyId }) => keyId === id) ?? null,
      firstAt: firstKeyAt(owner, all, now),
      isNearLimit: used >= terms.perDay * NEAR_LIMIT,
      refused: refused[0]?.requests ?? [],
      days: usageChart(days),
      hours: usageChart(hours),
      minutes: usageChart(minutes),
    });
  }

  @Get('sessions')
  async listSessions(@Exchange() page: AccountExchange): Promise<void> {
    const sessions = await this.sessions.list(page.owner.accountId);
    page.show('account-sessions', { sessions });
  }

  @Post('sessions')
  async endSession(@Exchange() page: AccountExchange): Promise<void> {
    await this.signIn.end(page.owner, page.field('id'), page.visitor.shortAddress);
    page.lead('/account/sessions');
  }

  @Get('activity')
  async activity(@Exchange() page: AccountExchange): Promise<void> {
    const events = await listAudit(this.database.source, page.owner.accountId, AUDIT_ROWS);
    page.show('account-activity', { events });
  }

  @Get('password')
  passwordForm(@Exchange() page: AccountExchange): void {
    page.show('account-password');
  }

  @Post('password')
  @OnRefusal('account-password')
  async changePassword(@Exchange() page: AccountExchange): Promise<void> {
    const given = { old: page.field('old'), new: page.field('password') };
    page.signIn(await this.signIn.changePassword(page.owner, given, page.client));
  }

  @Get('delete')
  deleteForm(@Exchange() page: AccountExchange): void {
    page.show('account-delete', this.confirmation(page.owner));
  }

  @Post('delete')
  @OnRefusal<AccountController>('account-delete', (self, page) => self.confirmation(page.owner))
  async delete(@Exchange() page: AccountExchange): Promise<void> {
    await this.signIn.verify(page.owner, page.field('password'));
    await this.access.as(page.actor).deleteAccount(page.owner.email);
    page.signOut();
  }

  /** The required confirmation: the form asks for the password, or leads to the provider. */
  private confirmation(owner: SignedIn) {
    const isConfirmed = this.signIn.isConfirmed(owner);
    return { isConfirmed, leadsToProvider: !owner.hasPassword && owner.issuer !== null && !isConfirmed };
  }
}
