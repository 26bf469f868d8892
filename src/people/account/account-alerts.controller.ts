import { Controller, Get, Post } from '@nestjs/common';
import { AccessError } from '../../serve/access/accounts/access-error.js';
import type { Condition } from '../../domain/figures/condition.js';
import { ALERT_METRICS, type AlertMetric } from '../../serve/following/alert-metrics.js';
import { Alerts, type NewAlert } from '../../serve/following/alerts.js';
import type { TargetKey } from '../../serve/following/targets.js';
import { formatDay } from '../../domain/locale/format.js';
import type { Locale } from '../../domain/locale/locale.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { AlertReplayService, type AlertReplay } from '../../serve/resources/alerts/alert-replay.service.js';
import { AlertsService } from '../../serve/resources/alerts/alerts.service.js';
import type { Result } from '../../serve/responses/result.js';
import { sourcesView } from '../views/source.view.js';
import { AccountPage, OnRefusal } from './account-page.decorator.js';
import { conditionWords, metricsOf, unitLabel } from './alert-words.js';
import { sentTarget, targetOf } from './follows.controller.js';
import { TargetSearch } from './target-search.service.js';
import { type AccountModel, AccountExchange, Exchange } from './account-exchange.js';

const LIST = '/account/alerts';
/** Alerts of one page. */
const PAGE = 50;
/** Events of a replay that a page shows. */
const EVENTS = 30;

@AccountPage()
@Controller('account/alerts')
export class AccountAlertsController {
  constructor(
    private readonly alerts: Alerts,
    private readonly held: AlertsService,
    private readonly replays: AlertReplayService,
    private readonly targets: TargetSearch,
    private readonly texts: Texts,
  ) {}

  @Get()
  async list(@Exchange() page: AccountExchange): Promise<void> {
    const context = page.context;
    const { locale } = context;
    const cursor = page.parameter('cursor');
    const query = { locale, limit: PAGE, ...(cursor !== '' && { cursor }) };
    const { data, page: paging } = await this.held.list(query, context);
    const subjects = await this.replays.subjects(
      data.map(({ target }) => target),
      context,
    );
    const alerts = data.map((alert) => ({
      ...alert,
      words: conditionWords(this.texts, locale, alert.condition, subjects.get(alert.target.key)),
    }));
    page.show('account-alerts', { alerts, next: paging?.nextCursor ?? null });
  }

  @Get('one')
  async one(@Exchange() page: AccountExchange): Promise<void> {
    const context = page.context;
    const { locale } = context;
    const found = await this.held.find(page.parameter('id'), context);
    const alert = found.data;
    if (alert === null) throw new AccessError('The account has no such alert', { code: 'alert_unknown' });
    const subjects = await this.replays.subjects([alert.target], context);
    const words = conditionWords(this.texts, locale, alert.condition, subjects.get(alert.target.key));
    const { metric, threshold } = alert.condition;
    const condition = metric === 'any_change' || threshold === null ? null : { metric, threshold: String(threshold) };
    const replayed = await this.replays.replay(alert.target, condition, context);
    page.show('account-alert', {
      title: alert.name,
      path: `${LIST}/one?id=${alert.id}`,
      alert,
      words,
      ...replayModel(replayed, locale, [found]),
    });
  }

  @Get('new')
  @OnRefusal<AccountAlertsController>('account-alert-new', (self, page) => self.formModel(page, blank(page)))
  async form(@Exchange() page: AccountExchange): Promise<void> {
    if (page.parameter('type') !== '') return this.showForm(page, blank(page));
    const choice = await this.targets.find(page.parameter('q'), page.parameter('indicator'), page.context);
    page.show('account-alert-new', { ...choice, chosen: null });
  }

  @Post('new')
  @OnRefusal<AccountAlertsController>('account-alert-new', (self, page) => self.formModel(page, sent(page)))
  async create(@Exchange() page: AccountExchange): Promise<void> {
    const wanted = sent(page);
    if (page.field('action') !== 'add') return this.showForm(page, wanted);
    const { target, alert } = await this.checked(wanted);
    const named = await this.named(page, target);
    const name = wanted.name === '' ? Array.from(named.target.name).slice(0, 100).join('') : wanted.name;
    const { id } = await this.alerts.as(page.actor).add(page.owner.email, { ...alert, name });
    page.lead(`${LIST}/one`, { id });
  }

  @Post('pause')
  async pause(@Exchange() page: AccountExchange): Promise<void> {
    const { id } = await this.alerts.as(page.actor).pause(page.owner.email, page.field('id'));
    page.lead(`${LIST}/one`, { id });
  }

  @Post('resume')
  async resume(@Exchange() page: AccountExchange): Promise<void> {
    const { id } = await this.alerts.as(page.actor).resume(page.owner.email, page.field('id'));
    page.lead(`${LIST}/one`, { id });
  }

  @Post('remove')
  async remove(@Exchange() page: AccountExchange): Promise<void> {
    await this.alerts.as(page.actor).remove(page.owner.email, page.field('id'));
    page.lead(LIST);
  }

  /** The form, with what the alert would have said so far. */
  private async showForm(page: AccountExchange, wanted: SentAlert): Promise<void> {
    const model = await this.formModel(page, wanted);
    const { target, condition } = await this.checked(wanted);
    const replayed = await this.replays.replay(target, condition, page.context);
    page.show('account-alert-new', { ...model, ...replayModel(replayed, page.locale) });
  }

  private async formModel(page: AccountExchange, wanted: SentAlert): Promise<AccountModel> {
    const { target } = await this.alerts.check({ ...wanted, metric: 'any_change', threshold: undefined });
    const chosen = await this.named(page, target);
    return {
      path: `${LIST}/new?type=${target.type}&key=${encodeURIComponent(target.key)}`,
      wanted,
      chosen: chosen.target,
      metrics: metricsOf(chosen.subject),
      replay: null,
      unit: chosen.subject === null ? null : unitLabel(chosen.subject, page.locale),
    };
  }

  private async named(page: AccountExchange, target: TargetKey) {
    const found = await this.replays.find(target, page.context);
    if (found === null) throw new AccessError('The target has gone', { code: 'target_unknown' });
    return found;
  }

  private async checked(wanted: SentAlert): Promise<CheckedAlert> {
    const { threshold } = wanted;
    const alert = { ...wanted, threshold: threshold === '' ? undefined : threshold };
    return { alert, ...(await this.alerts.check(alert)) };
  }
}

const blank = (page: AccountExchange): SentAlert => ({
  ...targetOf(page.parameter('type'), page.parameter('key'), page.parameter('region')),
  metric: 'any_change',
  threshold: '',
  name: '',
});

const sent = (page: AccountExchange): SentAlert => ({
  ...sentTarget(page),
  metric: ALERT_METRICS.find((metric) => metric === page.field('metric')) ?? 'any_change',
  threshold: page.field('threshold').trim(),
  name: page.field('name'),
});

/** What an alert would have said, with the sources of all that the page shows. */
function replayModel(replayed: Result<AlertReplay>, locale: Locale, others: readonly Result<unknown>[] = []) {
  const day = (text: string) => formatDay(locale, text);
  return { replay: replayed.data, most: EVENTS, day, ...sourcesView([...others, replayed], locale) };
}

interface SentAlert extends TargetKey {
  readonly metric: AlertMetric;
  readonly threshold: string;
  readonly name: string;
}

interface CheckedAlert {
  readonly alert: NewAlert;
  readonly target: TargetKey;
  readonly condition: Condition | null;
}
