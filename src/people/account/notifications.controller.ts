import { Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { AccessError } from '../../serve/access/accounts/access-error.js';
import { newId } from '../../serve/access/accounts/new-id.js';
import { contentKey, NotificationContents } from '../notifications/notification-contents.js';
import { MOST_WEBHOOKS, Notifications, type NewSecret } from '../notifications/notifications.js';
import { pageLocale } from '../site/page-locale.js';
import { AccountPage } from './account-page.decorator.js';
import { AccountPages } from './account-pages.service.js';
import { field, type AccountRequest } from './account-request.js';
import { OwnerGuard, sessionOf } from './owner.guard.js';

const RECENT = 50;
/** Hours for which the old secret still signs; any other value counts as the first. */
const GRACE_HOURS = ['24', '72', '168', '0'] as const;
const HOUR_MS = 3_600_000;

/** The page on which owners choose how they are notified of their alerts. */
@UseGuards(OwnerGuard)
@AccountPage()
@Controller('account/notifications')
export class NotificationsController {
  constructor(
    private readonly notifications: Notifications,
    private readonly contents: NotificationContents,
    private readonly pages: AccountPages,
  ) {}

  @Get()
  async list(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    this.pages.show(request, response, 'account-notifications', await this.model(request));
  }

  @Post('mail')
  async setMail(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const on = field(request, 'on') === '1';
    await this.change(request, response, (own, account) => own.setMail(account, on));
  }

  @Post('webhooks')
  async addWebhook(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const url = field(request, 'url');
    await this.showSecret(request, response, url, (own, account) =>
      own.addWebhook(account, url, newChannelIdOf(request)),
    );
  }

  @Post('rotate')
  async rotate(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const sent = field(request, 'grace');
    const hours = Number(GRACE_HOURS.find((choice) => choice === sent) ?? GRACE_HOURS[0]);
    await this.showSecret(request, response, '', (own, account) =>
      own.rotateSecret(account, field(request, 'id'), hours * HOUR_MS),
    );
  }

  @Post('enable')
  async enable(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    await this.change(request, response, (own, account) => own.enable(account, field(request, 'id')));
  }

  @Post('remove')
  async remove(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    await this.change(request, response, (own, account) => own.remove(account, field(request, 'id')));
  }

  @Post('test')
  async test(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const alertId = field(request, 'id');
    await this.change(request, response, (own, account) =>
      own.sendTest(account, alertId === '' ? null : alertId),
    );
  }

  @Post('retry')
  async retry(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    await this.change(request, response, (own, account) => own.retry(account, field(request, 'id')));
  }

  /** Leads back to the page, or shows it again with the reason of a refusal. */
  private async change(
    request: AccountRequest,
    response: Response,
    work: (own: Notifications, accountId: string) => Promise<unknown>,
  ): Promise<void> {
    try {
      await work(this.owned(request), sessionOf(request).accountId);
      this.pages.lead(request, response, '/account/notifications');
    } catch (error) {
      await this.refuse(request, response, error);
    }
  }

  /** Shows a secret in the response to the form only. */
  private async showSecret(
    request: AccountRequest,
    response: Response,
    url: string,
    work: (own: Notifications, accountId: string) => Promise<NewSecret>,
  ): Promise<void> {
    try {
      const { secret } = await work(this.owned(request), sessionOf(request).accountId);
      this.pages.show(request, response, 'account-webhook-secret', { secret });
    } catch (error) {
      await this.refuse(request, response, error, url);
    }
  }

  private async refuse(request: AccountRequest, response: Response, error: unknown, url = ''): Promise<void> {
    if (!(error instanceof AccessError)) throw error;
    const model = await this.model(request);
    this.pages.refuse(request, response, 'account-notifications', error, { ...model, url });
  }

  private async model(request: AccountRequest) {
    const { accountId } = sessionOf(request);
    const [channels, recent] = [
      await this.notifications.channels(accountId),
      await this.notifications.recent(accountId, RECENT),
    ];
    const { contents } = await this.contents.read(accountId, recent, pageLocale(request));
    const webhooks = channels.filter(({ kind }) => kind === 'webhook');
    return {
      ...{ kinds: this.notifications.kinds, webhooks, cap: MOST_WEBHOOKS, choices: GRACE_HOURS, url: '' },
      mailOn: channels.some(({ kind }) => kind === 'email'),
      recent: recent.map((one) => ({
        ...one,
        content: contents.get(contentKey(one)) ?? null,
        host: one.url === null ? null : new URL(one.url).host,
      })),
      newChannelId: newId('chn'),
      now: request.context.receivedAt,
    };
  }

  private owned({ shortAddress }: AccountRequest): Notifications {
    return this.notifications.as({ kind: 'owner', address: shortAddress });
  }
}

function newChannelIdOf(request: AccountRequest): string {
  const sent = field(request, 'new_channel_id');
  return /^chn_[\w-]{16}$/.test(sent) ? sent : newId('chn');
}
