import { Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
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
import { sourcesView } from '../pages/source.view.js';
import { AccountPage } from './account-page.decorator.js';
import { AccountPages, type AccountModel } from './account-pages.service.js';
import { field, parameter, type AccountRequest } from './account-request.js';
import { conditionWords, metricsOf, unitLabel } from './alert-words.js';
import { sentTarget, targetOf } from './follows.controller.js';
import { ownerActor, ownerContext } from './owner-context.js';
import { OwnerGuard, sessionOf } from './owner.guard.js';
import { TargetSearch } from './target-search.service.js';

const LIST = '/account/alerts';
/** Alerts of one page. */
const PAGE = 50;
/** Events of a replay that a page shows. */
const EVENTS = 30;

@UseGuards(OwnerGuard)
@AccountPage()
@Controller('account/alerts')
export class AccountAlertsController {
  constructor(
    private readonly alerts: Alerts,
    private readonly held: AlertsService,
    private readonly replays: AlertReplayService,
    private readonly targets: TargetSearch,
    private readonly texts: Texts,
    private readonly pages: AccountPages,
  ) {}

  @Get()
  async list(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const context = ownerContext(request);
    const { locale } = context;
    const cursor = parameter(request, 'cursor');
    const query = { locale, limit: PAGE, ...(cursor !== '' && { cursor }) };
    const { data, page } = await this.held.list(query, context);
    const subjects = await this.replays.subjects(
      data.map(({ target }) => target),
      context,
    );
    const alerts = data.map((alert) => ({
      ...alert,
      words: conditionWords(this.texts, locale, alert.condition, subjects.get(alert.target.key)),
    }));
    this.pages.show(request, response, 'account-alerts', { alerts, next: page?.nextCursor ?? null });
  }

  @Get('one')
  async one(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const context = ownerContext(request);
    const { locale } = context;
    const found = await this.held.find(parameter(request, 'id'), context);
    const alert = found.data;
    if (alert === null) throw new AccessError('The account has no such alert', { code: 'alert_unknown' });
    const subjects = await this.replays.subjects([alert.target], context);
    const words = conditionWords(this.texts, locale, alert.condition, subjects.get(alert.target.key));
    const { metric, threshold } = alert.condition;
    const condition =
      metric === 'any_change' || threshold === null ? null : { metric, threshold: String(threshold) };
    const replayed = await this.replays.replay(alert.target, condition, context);
    this.pages.show(request, response, 'account-alert', {
      ...{ title: alert.name, path: `${LIST}/one?id=${alert.id}`, alert, words },
      ...replayModel(replayed, locale, [found]),
    });
  }

  @Get('new')
  async form(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const type = parameter(request, 'type');
    if (type === '') {
      const [q, indicator] = [parameter(request, 'q'), parameter(request, 'indicator')];
      const choice = await this.targets.find(q, indicator, ownerContext(request));
      this.pages.show(request, response, 'account-alert-new', { ...choice, chosen: null });
      return;
    }
    const target = targetOf(type, parameter(request, 'key'), parameter(request, 'region'));
    const wanted = { ...target, metric: 'any_change', threshold: '', name: '' } as const;
    await this.showForm(request, response, wanted);
  }

  @Post('new')
  async create(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const wanted = {
      ...sentTarget(request),
      metric: ALERT_METRICS.find((metric) => metric === field(request, 'metric')) ?? 'any_change',
      threshold: field(request, 'threshold').trim(),
      name: field(request, 'name'),
    };
    if (field(request, 'action') !== 'add') return this.showForm(request, response, wanted);
    try {
      const { target, alert } = await this.checked(wanted);
      const named = await this.named(request, target);
      const name = wanted.name === '' ? Array.from(named.target.name).slice(0, 100).join('') : wanted.name;
      const alerts = this.alerts.as(ownerActor(request));
      const { id } = await alerts.add(sessionOf(request).email, { ...alert, name });
      this.pages.lead(request, response, `${LIST}/one`, { id });
    } catch (error) {
      this.pages.refuse(request, response, 'account-alert-new', error, await this.formModel(request, wanted));
    }
  }

  @Post('pause')
  async pause(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const { id } = await this.changed(request, (alerts, email, sent) => alerts.pause(email, sent));
    this.pages.lead(request, response, `${LIST}/one`, { id });
  }

  @Post('resume')
  async resume(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const { id } = await this.changed(request, (alerts, email, sent) => alerts.resume(email, sent));
    this.pages.lead(request, response, `${LIST}/one`, { id });
  }

  @Post('remove')
  async remove(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    await this.changed(request, (alerts, email, sent) => alerts.remove(email, sent));
    this.pages.lead(request, response, LIST);
  }

  private changed<Changed>(
    request: AccountRequest,
    work: (alerts: Alerts, email: string, id: string) => Promise<Changed>,
  ): Promise<Changed> {
    return work(this.alerts.as(ownerActor(request)), sessionOf(request).email, field(request, 'id'));
  }

  /** The form, with what the alert would have said so far. */
  private async showForm(request: AccountRequest, response: Response, wanted: SentAlert): Promise<void> {
    const model = await this.formModel(request, wanted);
    try {
      const { target, condition } = await this.checked(wanted);
      const context = ownerContext(request);
      const replayed = await this.replays.replay(target, condition, context);
      this.pages.show(request, response, 'account-alert-new', {
        ...{ ...model, ...replayModel(replayed, context.locale) },
      });
    } catch (error) {
      this.pages.refuse(request, response, 'account-alert-new', error, model);
    }
  }

  private async formModel(request: AccountRequest, wanted: SentAlert): Promise<AccountModel> {
    const { locale } = ownerContext(request);
    const { target } = await this.alerts.check({ ...wanted, metric: 'any_change', threshold: undefined });
    const chosen = await this.named(request, target);
    return {
      ...{ path: `${LIST}/new?type=${target.type}&key=${encodeURIComponent(target.key)}`, wanted },
      ...{ chosen: chosen.target, metrics: metricsOf(chosen.subject), replay: null },
      unit: chosen.subject === null ? null : unitLabel(chosen.subject, locale),
    };
  }

  private async named(request: AccountRequest, target: TargetKey) {
    const found = await this.replays.find(target, ownerContext(request));
    if (found === null) throw new AccessError('The target has gone', { code: 'target_unknown' });
    return found;
  }

  private async checked(wanted: SentAlert): Promise<CheckedAlert> {
    const { threshold } = wanted;
    const alert = { ...wanted, threshold: threshold === '' ? undefined : threshold };
    return { alert, ...(await this.alerts.check(alert)) };
  }
}

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
