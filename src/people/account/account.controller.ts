import { Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '../../serve/access/accounts/access.js';
import { listAudit } from '../../serve/access/accounts/audit-log.js';
import { firstKeyAt, isLive } from '../../serve/access/keys/key-rules.js';
import { listKeyUses } from '../../serve/access/keys/key-uses.js';
import { Sessions, type SignedIn } from '../../serve/access/sign-in/sessions.js';
import { SignIn } from '../../serve/access/sign-in/sign-in.js';
import { asAccount } from '../../store/account-scope.js';
import { PLAN_TERMS } from '../../domain/plans/plans.js';
import { AccountDatabase } from './account-database.js';
import { AccountPage } from './account-page.decorator.js';
import { AccountPages } from './account-pages.service.js';
import { clientOf, field, type AccountRequest } from './account-request.js';
import { OwnerGuard, sessionOf } from './owner.guard.js';
import { USE_BY_DAY, USE_BY_MINUTE, usageChart, type UsedSpan } from './usage-chart.js';

const AUDIT_ROWS = 200;
/** The share of a day's requests from which on the page warns. */
const NEAR_LIMIT = 0.8;

/** The account's overview, and the actions that concern the whole account. */
@UseGuards(OwnerGuard)
@AccountPage()
@Controller('account')
export class AccountController {
  constructor(
    private readonly access: Access,
    private readonly signIn: SignIn,
    private readonly sessions: Sessions,
    private readonly database: AccountDatabase,
    private readonly pages: AccountPages,
  ) {}

  @Get()
  async overview(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const owner = sessionOf(request);
    const { receivedAt: now, today } = request.context;
    const { source } = this.database;
    const { accountId } = owner;
    const [all, uses, { days, minutes }] = await Promise.all([
      this.access.listKeys(owner.email),
      listKeyUses(source, accountId),
      asAccount(source, accountId, async (manager) => ({
        days: await manager.query<UsedSpan[]>(USE_BY_DAY, [accountId, today]),
        minutes: await manager.query<UsedSpan[]>(USE_BY_MINUTE, [accountId, now]),
      })),
    ]);
    const terms = PLAN_TERMS[owner.plan];
    const keys = all.filter((key) => isLive(key, now));
    const used = days.at(-1)?.admitted ?? 0;
    this.pages.show(request, response, 'account-overview', {
      ...{ terms, keys, used, canMake: keys.length < terms.liveKeys },
      lastUseOf: (id: string) => uses.find(({ keyId }) => keyId === id) ?? null,
      ...{ firstAt: firstKeyAt(owner, all, now), isNearLimit: used >= terms.perDay * NEAR_LIMIT },
      ...{ days: usageChart(days), minutes: usageChart(minutes) },
    });
  }

  @Get('sessions')
  async listSessions(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const sessions = await this.sessions.list(sessionOf(request).accountId);
    this.pages.show(request, response, 'account-sessions', { sessions });
  }

  @Post('sessions')
  async endSession(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    await this.signIn.end(sessionOf(request), field(request, 'id'), request.shortAddress);
    this.pages.lead(request, response, '/account/sessions');
  }

  @Get('activity')
  async activity(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const events = await listAudit(this.database.source, sessionOf(request).accountId, AUDIT_ROWS);
    this.pages.show(request, response, 'account-activity', { events });
  }

  @Get('password')
  passwordForm(@Req() request: AccountRequest, @Res() response: Response): void {
    this.pages.show(request, response, 'account-password');
  }

  @Post('password')
  async changePassword(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const given = { old: field(request, 'old'), new: field(request, 'password') };
    try {
      const session = await this.signIn.changePassword(sessionOf(request), given, clientOf(request));
      this.pages.signIn(request, response, session);
    } catch (error) {
      this.pages.refuse(request, response, 'account-password', error);
    }
  }

  @Get('delete')
  deleteForm(@Req() request: AccountRequest, @Res() response: Response): void {
    this.pages.show(request, response, 'account-delete', this.confirmation(sessionOf(request)));
  }

  @Post('delete')
  async delete(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const owner = sessionOf(request);
    try {
      await this.signIn.verify(owner, field(request, 'password'));
      const actor = { kind: 'owner', address: request.shortAddress } as const;
      await this.access.as(actor).deleteAccount(owner.email);
      this.pages.signOut(request, response);
    } catch (error) {
      this.pages.refuse(request, response, 'account-delete', error, this.confirmation(owner));
    }
  }

  /** The required confirmation: the form asks for the password, or leads to the provider. */
  private confirmation(owner: SignedIn) {
    const isConfirmed = this.signIn.isConfirmed(owner);
    return { isConfirmed, leadsToProvider: !owner.hasPassword && owner.issuer !== null && !isConfirmed };
  }
}
