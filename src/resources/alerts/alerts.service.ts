import { Injectable } from '@nestjs/common';
import type { CallContext } from '../../access/call-context.js';
import { Addresses } from '../../answers/addresses.service.js';
import { Archive } from '../../answers/archive.service.js';
import { Cursors } from '../../answers/cursors.service.js';
import type { Result } from '../../answers/result.js';
import { numberOf } from '../../figures/figure.js';
import type { Locale } from '../../locale/locale.js';
import { Texts } from '../../locale/texts.service.js';
import type { Citations } from '../../sources/citations.js';
import { TargetView } from '../target-view.js';
import { ALERTS_PAGE, type AlertRow } from './alert-rows.js';
import type { Alert, AlertsQuery } from './alert.schema.js';

/** Above every position there will be. */
const TOP = Number.MAX_SAFE_INTEGER;

@Injectable()
export class AlertsService {
  private readonly targets: TargetView;

  constructor(
    private readonly archive: Archive,
    private readonly cursors: Cursors,
    private readonly addresses: Addresses,
    texts: Texts,
  ) {
    this.targets = new TargetView(addresses, texts);
  }

  /** The account's own, the newest made first. */
  list({ limit, cursor }: AlertsQuery, call: CallContext): Promise<Result<Alert[]>> {
    const { accountId } = call.caller;
    const question = { route: 'alerts', filters: { accountId } };
    return this.archive.answerOwn('changes', call, async (read, cite) => {
      const below = cursor === undefined ? TOP : this.cursors.read(question, cursor);
      const rows = await read<AlertRow>(ALERTS_PAGE, [accountId, below, limit + 1, call.locale]);
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      const more = rows.length > limit && last !== undefined;
      return {
        data: shown.map((row) => this.show(row, call.locale, cite)),
        page: { limit, nextCursor: more ? this.cursors.write(question, last.position) : null },
      };
    });
  }

  private show(row: AlertRow, locale: Locale, cite: Citations): Alert {
    const { id, label, type, key, name, region, metric, threshold, state, createdAt } = row;
    const target = this.targets.show({ type, key, name, region }, locale);
    const events = (row.events ?? []).map(({ changeId, headline, at, source, origins }) => ({
      changeId,
      url: changeId === null ? target.url : this.addresses.of('changes', changeId),
      headline,
      at: new Date(at).toISOString(),
      sources: cite.sources([source, ...origins]),
    }));
    return {
      id,
      name: label,
      target,
      condition: { metric, threshold: numberOf(threshold) },
      state,
      createdAt: createdAt.toISOString(),
      lastTriggeredAt: events[0]?.at ?? null,
      events,
    };
  }
}
