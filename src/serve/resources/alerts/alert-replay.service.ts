import { Injectable } from '@nestjs/common';
import { replayAlert, type FigureVintage } from '../../../domain/figures/alert-evaluation.js';
import { crossingHeadline, type AlertSubject } from '../../../domain/figures/alert-text.js';
import type { Condition } from '../../../domain/figures/condition.js';
import { lastDayOf, shiftedDay } from '../../../domain/figures/periods.js';
import type { TargetKey } from '../../following/targets.js';
import type { Read } from '../../../store/snapshots.js';
import { Texts } from '../../../domain/locale/texts.service.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { RequestContext } from '../../responses/request-context.js';
import type { Result } from '../../responses/result.js';
import { linkOf, UrlBuilder } from '../../responses/url-builder.service.js';
import type { Citations } from '../../../domain/sources/citations.js';
import { ChangesService } from '../changes/changes.service.js';
import { FIRING_POSITIONS } from '../following/following.rows.js';
import type { Target } from '../following/target.schema.js';
import { TargetView, type TargetRow } from '../following/target.view.js';
import { KNOWN_FIGURES, ONE_TARGET, SUBJECTS_OF_ALERTS, type SeriesSubjectRow } from './alert-replay.rows.js';
import { alertsResource } from './alert.schema.js';

const YEAR_DAYS = 365;
/** More than a year of a daily series; many more would occupy the event loop for too long. */
const MOST_FIGURES = 400;
/** The newest changes of a target, which the replay considers. */
const MOST_CHANGES = 100;

/** The position above all changes. */
const ABOVE_ALL = Number.MAX_SAFE_INTEGER;

export interface ReplayedEvent {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly headline: string;
  /** The change; null for a figure, whose change is not looked up. */
  readonly url: string | null;
}

export interface AlertReplay {
  /** The day from which on the events are complete. */
  readonly since: string;
  /** Newest first. */
  readonly events: readonly ReplayedEvent[];
  /** The newest event of any time: the content of a notification. */
  readonly newest: ReplayedEvent | null;
}

export interface AlertTarget {
  readonly target: Target;
  /** Null for a target without values. */
  readonly subject: AlertSubject | null;
}

/** The events that an alert would have had before it existed, by the rule that publishing evaluates alerts by. */
@Injectable()
export class AlertReplayService {
  private readonly targets: TargetView;

  constructor(
    private readonly reader: ConsistentReader,
    private readonly changes: ChangesService,
    urls: UrlBuilder,
    texts: Texts,
  ) {
    this.targets = new TargetView(urls, texts);
  }

  /** Null for a target that does not exist. */
  async find(wanted: TargetKey, context: RequestContext): Promise<AlertTarget | null> {
    const { data } = await this.reader.read(alertsResource, context, async (read) => {
      const [row] = await read<TargetRow>(ONE_TARGET, [wanted.type, wanted.key]);
      const [subject = null] = await subjectsOf(read, [wanted]);
      return { data: row === undefined ? null : { target: this.targets.show(row, context.locale), subject } };
    });
    return data;
  }

  /** The subjects of targets that have values, by the target's key. */
  async subjects(targets: readonly TargetKey[], context: RequestContext): Promise<ReadonlyMap<string, AlertSubject>> {
    const { data } = await this.reader.read(alertsResource, context, async (read) => ({
      data: await subjectsOf(read, targets),
    }));
    return new Map(data.map((row) => [row.key, row]));
  }

  /** @param condition null for any change */
  replay(target: TargetKey, condition: Condition | null, context: RequestContext): Promise<Result<AlertReplay>> {
    const since = shiftedDay(context.today, -YEAR_DAYS);
    return this.reader.read(alertsResource, context, async (read, cite) => {
      const { events, begin = since } =
        condition === null
          ? { events: await this.firingChanges(read, cite, target, context) }
          : await crossingsOf(read, cite, { target, condition, context });
      const recent = events.filter(({ day }) => day >= since);
      const data = { since: begin > since ? begin : since, events: recent, newest: events[0] ?? null };
      return { data };
    });
  }

  private async firingChanges(
    read: Read,
    cite: Citations,
    { type, key }: TargetKey,
    context: RequestContext,
  ): Promise<ReplayedEvent[]> {
    const parameters = [type, ABOVE_ALL, MOST_CHANGES, key];
    const found = await read<{ position: number }>(FIRING_POSITIONS, parameters);
    const positions = found.map(({ position }) => position);
    const changes = await this.changes.at(read, cite, positions, context);
    return positions.flatMap((position) => {
      const change = changes.get(position);
      if (change === undefined) return [];
      return [{ day: change.occurredAt.slice(0, 10), headline: change.headline, url: linkOf(change) }];
    });
  }
}

interface ReplayedAlert {
  readonly target: TargetKey;
  readonly condition: Condition;
  readonly context: RequestContext;
}

/** Newest first. `begin` is the day from which on the replay is complete, if the series has more figures. */
async function crossingsOf(
  read: Read,
  cite: Citations,
  { target, condition, context }: ReplayedAlert,
): Promise<{ readonly events: ReplayedEvent[]; readonly begin?: string }> {
  const [subject] = await subjectsOf(read, [target]);
  if (subject === undefined) return { events: [] };
  const known = await read<FigureVintage>(KNOWN_FIGURES, [subject.series, MOST_FIGURES]);
  const crossings = replayAlert(condition, known);
  if (crossings.length > 0) cite.sources([subject.source, ...subject.origins]);
  const events = crossings
    .reverse()
    .map((crossing) => ({
      day: crossing.day,
      headline: crossingHeadline(subject, condition, crossing)[context.locale],
      url: null,
    }));
  const [oldest] = known;
  if (oldest === undefined || known.length < MOST_FIGURES) return { events };
  return { events, begin: lastDayOf(oldest.period) };
}

function subjectsOf(read: Read, targets: readonly TargetKey[]): Promise<SeriesSubjectRow[]> {
  const columns = [targets.map(({ type }) => type), targets.map(({ key }) => key)];
  return read<SeriesSubjectRow>(SUBJECTS_OF_ALERTS, columns);
}
