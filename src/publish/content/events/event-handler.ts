// Stages, compares and stores calendar events; keeps the history of their schedules.
import { createHash } from 'node:crypto';
import { previousPeriod } from '../../../domain/figures/periods.js';
import { ImportError, type Batch, type ScheduleRow } from '../../batches/importer.js';
import type { Family } from '../../../domain/sources/families.js';
import type { Publication } from '../../publication/record-publication.js';
import { CopyBuffer } from '../../publication/copy-buffer.js';
import type { ContentHandler, ContentEvaluation, Permissions } from '../content-handler.js';
import type { PublishContext } from '../../publication/publish-context.js';
import { eventImportance } from './event-importance.rule.js';

const STAGED = `
  CREATE TEMP TABLE IF NOT EXISTS staged_events (
    id text COLLATE "C" NOT NULL, indicator text NOT NULL, region text NOT NULL, period text COLLATE "C" NOT NULL,
    previous_period text COLLATE "C" NOT NULL, estimate smallint, scheduled_on date NOT NULL,
    time_zone text NOT NULL, scheduled_at timestamptz, status text NOT NULL, importance text NOT NULL,
    source_id text NOT NULL, source_url text) ON COMMIT DROP`;

const COLUMNS = `id, indicator, region, period, previous_period, estimate, scheduled_on, time_zone, scheduled_at,
  status, importance, source_id, source_url`;

const SCHEDULE = (table: string): string =>
  `(${table}.scheduled_on, ${table}.time_zone, ${table}.scheduled_at, ${table}.status)`;
const REST = (table: string): string => `(${table}.importance, ${table}.source_id)`;

/** An older schedule does not change an event that a newer one describes. */
const HELD = `
  FROM staged_events s JOIN calendar_events e USING (id)
  WHERE e.vintage_day <= $1::date AND (${SCHEDULE('s')} IS DISTINCT FROM ${SCHEDULE('e')}
    OR ${REST('s')} IS DISTINCT FROM ${REST('e')})`;

const TALLY = `
  SELECT (SELECT count(*) FROM staged_events s WHERE NOT EXISTS (
            SELECT FROM calendar_events e WHERE e.id = s.id)) AS made,
         (SELECT count(*) ${HELD}) AS changed,
         (SELECT count(*) ${HELD} AND ${SCHEDULE('s')} IS DISTINCT FROM ${SCHEDULE('e')}) AS moved,
         (SELECT min(concat_ws(' ', e.indicator, e.region, e.period, e.estimate)) ${HELD}
            AND e.vintage_day = $1::date
            AND ${SCHEDULE('s')} IS DISTINCT FROM ${SCHEDULE('e')}) AS contradicted`;

const KEEP_HISTORY = `
  INSERT INTO calendar_event_history (event_id, data_version, vintage_day, replaced_on, scheduled_on, time_zone,
    scheduled_at, status)
  SELECT e.id, $2, e.vintage_day, $1::date, e.scheduled_on, e.time_zone, e.scheduled_at, e.status
  ${HELD} AND e.vintage_day < $1::date AND ${SCHEDULE('s')} IS DISTINCT FROM ${SCHEDULE('e')}`;

const UPDATE = `
  UPDATE calendar_events c SET
    scheduled_on = s.scheduled_on, time_zone = s.time_zone, scheduled_at = s.scheduled_at, status = s.status,
    importance = s.importance, source_id = s.source_id, source_url = s.source_url,
    vintage_day = CASE WHEN ${SCHEDULE('s')} IS DISTINCT FROM ${SCHEDULE('c')} THEN $1::date ELSE c.vintage_day END,
    data_version = $2
  FROM staged_events s WHERE s.id = c.id AND c.id IN (SELECT e.id ${HELD})`;

const INSERT = `
  INSERT INTO calendar_events (${COLUMNS}, withheld, vintage_day, data_version)
  SELECT ${COLUMNS}, false, $1::date, $2 FROM staged_events ORDER BY scheduled_on, id
  ON CONFLICT (id) DO NOTHING`;

interface Tally {
  readonly made: number;
  readonly changed: number;
  readonly moved: number;
  readonly contradicted: string | null;
}

export class EventHandler implements ContentHandler {
  private readonly lines = new Map<string, { readonly content: string; readonly row: ScheduleRow }>();

  private constructor(
    private readonly context: PublishContext,
    private readonly staged: CopyBuffer,
  ) {}

  static async open(context: PublishContext): Promise<EventHandler> {
    await context.client.query(STAGED);
    return new EventHandler(context, new CopyBuffer(context.client, `staged_events (${COLUMNS})`));
  }

  async take(batch: Batch): Promise<void> {
    if (batch.kind !== 'events') return;
    for (const row of batch.rows) this.stage(row);
    if (this.staged.full) await this.staged.send();
  }

  async compare(allowed: Permissions): Promise<ContentEvaluation> {
    const { client, delivery } = this.context;
    if (this.lines.size === 0) return { kind: null, counts: {} };
    await this.staged.flush();
    await client.query('ANALYZE staged_events');
    const [tally] = (await client.query<Tally>(TALLY, [delivery.vintage])).rows;
    if (tally === undefined) throw new Error('The tally has no row');
    const { made, changed, moved, contradicted } = tally;
    if (contradicted !== null && !allowed.replace) {
      throw new ImportError(
        `${delivery.name}: the schedule of ${delivery.vintage} is already stored, and differs for ` +
          `${contradicted}. With --replace the new one replaces it.`,
      );
    }
    return {
      kind: made + changed === 0 ? null : contradicted === null ? 'import' : 'replace',
      counts: { events: this.lines.size, eventsMade: made, eventsMoved: moved },
    };
  }

  async store({ dataVersion }: Publication): Promise<readonly Family[]> {
    if (this.lines.size === 0) return [];
    const { client, delivery } = this.context;
    let changed = 0;
    for (const sql of [KEEP_HISTORY, UPDATE, INSERT])
      changed += (await client.query(sql, [delivery.vintage, dataVersion])).rowCount ?? 0;
    return changed === 0 ? [] : ['ahead', 'briefs'];
  }

  private stage(row: ScheduleRow): void {
    const { codes, bad, unmapped } = this.context;
    const subject = codes.subject(row);
    if (typeof subject === 'string' || 'instrument' in subject) {
      const kind = typeof subject === 'string' ? subject : 'indicator';
      unmapped.add(kind, kind === 'region' ? row.region : row.indicator);
      return;
    }
    const { period, estimate, scheduledOn, timeZone, scheduledAt, status, sourceUrl, place } = row;
    const identity = { indicator: subject.indicator.slug, region: subject.region.code, period, estimate };
    const id = eventId(identity);
    const content = JSON.stringify([scheduledOn, timeZone, scheduledAt, status]);
    const before = this.lines.get(id);
    if (before !== undefined) {
      if (before.content !== content) {
        const { file, line } = before.row.place;
        bad.add({ place, reason: `the event is scheduled otherwise in ${file}:${line}` });
      }
      return;
    }
    this.lines.set(id, { content, row });
    this.staged.add([
      id,
      identity.indicator,
      identity.region,
      period,
      previousPeriod(period),
      estimate,
      scheduledOn,
      timeZone,
      scheduledAt,
      status,
      eventImportance(subject.indicator, subject.region, estimate),
      subject.indicator.source,
      sourceUrl,
    ]);
  }
}

/** For `CONTENT_HANDLERS`. */
export const openEventHandler = (context: PublishContext): Promise<ContentHandler> => EventHandler.open(context);

interface EventIdentity {
  readonly indicator: string;
  readonly region: string;
  readonly period: string;
  readonly estimate: number | null;
}

/** Stable across databases and reschedulings. */
function eventId({ indicator, region, period, estimate }: EventIdentity): string {
  const hash = createHash('sha256').update([indicator, region, period, estimate ?? ''].join('|'));
  return `evt_${hash.digest('base64url').slice(0, 27)}`;
}
