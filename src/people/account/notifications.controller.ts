import { Controller, Get, Post } from '@nestjs/common';
import { newId } from '../../serve/access/accounts/new-id.js';
import { contentKey, NotificationContents } from '../notifications/notification-contents.js';
import { MOST_WEBHOOKS, Notifications, type NewSecret } from '../notifications/notifications.js';
import { AccountPage, OnRefusal } from './account-page.decorator.js';
import { AccountExchange, Exchange } from './account-exchange.js';

const RECENT = 50;
/** Hours for which the old secret still signs; any other value counts as the first. */
const GRACE_HOURS = ['24', '72', '168', '0'] as const;
const HOUR_MS = 3_600_000;

const VIEW = 'account-notifications';
const NotificationForm = () => OnRefusal<NotificationsController>(VIEW, (self, page) => self.model(page));

/** The page on which owners choose how they are notified of their alerts. */
@AccountPage()
@Controller('account/notifications')
export class NotificationsController {
  constructor(
    private readonly notifications: Notifications,
    private readonly contents: NotificationContents,
  ) {}

  @Get()
  async list(@Exchange() page: AccountExchange): Promise<void> {
    page.show(VIEW, await this.model(page));
  }

  @Post('mail')
  @NotificationForm()
  async setMail(@Exchange() page: AccountExchange): Promise<void> {
    await this.change(page, (own, account) => own.setMail(account, page.field('on') === '1'));
  }

  @Post('webhooks')
  @NotificationForm()
  async addWebhook(@Exchange() page: AccountExchange): Promise<void> {
    await this.showSecret(page, (own, account) => own.addWebhook(account, page.field('url'), newChannelIdOf(page)));
  }

  @Post('rotate')
  @NotificationForm()
  async rotate(@Exchange() page: AccountExchange): Promise<void> {
    const sent = page.field('grace');
    const hours = Number(GRACE_HOURS.find((choice) => choice === sent) ?? GRACE_HOURS[0]);
    await this.showSecret(page, (own, account) => own.rotateSecret(account, page.field('id'), hours * HOUR_MS));
  }

  @Post('enable')
  @NotificationForm()
  async enable(@Exchange() page: AccountExchange): Promise<void> {
    await this.change(page, (own, account) => own.enable(account, page.field('id')));
  }

  @Post('remove')
  @NotificationForm()
  async remove(@Exchange() page: AccountExchange): Promise<void> {
    await this.change(page, (own, account) => own.remove(account, page.field('id')));
  }

  @Post('test')
  @NotificationForm()
  async test(@Exchange() page: AccountExchange): Promise<void> {
    const alertId = page.field('id');
    await this.change(page, (own, account) => own.sendTest(account, alertId === '' ? null : alertId));
  }

  @Post('retry')
  @NotificationForm()
  async retry(@Exchange() page: AccountExchange): Promise<void> {
    await this.change(page, (own, account) => own.retry(account, page.field('id')));
  }

  private async change(
    page: AccountExchange,
    work: (own: Notifications, accountId: string) => Promise<unknown>,
  ): Promise<void> {
    await work(this.notifications.as(page.actor), page.owner.accountId);
    page.lead('/account/notifications');
  }

  /** Shows a secret in the response to the form only. */
  private async showSecret(
    page: AccountExchange,
    work: (own: Notifications, accountId: string) => Promise<NewSecret>,
  ): Promise<void> {
    const { secret } = await work(this.notifications.as(page.actor), page.owner.accountId);
    page.show('account-webhook-secret', { secret, script: 'copy.js' });
  }

  async model(page: AccountExchange) {
    const { accountId } = page.owner;
    const [channels, recent] = [
      await this.notifications.channels(accountId),
      await this.notifications.recent(accountId, RECENT),
    ];
    const { contents } = await this.contents.read(accountId, recent, page.locale);
    const webhooks = channels.filter(({ kind }) => kind === 'webhook');
    return {
      kinds: this.notifications.kinds,
      webhooks,
      cap: MOST_WEBHOOKS,
      choices: GRACE_HOURS,
      url: page.field('url'),
      mailOn: channels.some(({ kind }) => kind === 'email'),
      recent: recent.map((one) => ({
        ...one,
        content: contents.get(contentKey(one)) ?? null,
        host: one.url === null ? null : new URL(one.url).host,
      })),
      newChannelId: newId('chn'),
      now: page.now,
    };
  }
}

function newChannelIdOf(page: AccountExchange): string {
  const sent = page.field('new_channel_id');
  return /^chn_[\w-]{16}$/.test(sent) ? sent : newId('chn');
}
