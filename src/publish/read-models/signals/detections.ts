import type pg from 'pg';
import { CopyBuffer } from '../../publication/copy-buffer.js';
import { signalId, type Evaluation, type SignalRule } from './signal.js';

const TABLES = `
  CREATE TEMP TABLE IF NOT EXISTS evaluated_scopes (rule text NOT NULL, subject text NOT NULL, starts_from text COLLATE "C",
    starts_to text COLLATE "C") ON COMMIT DROP;
  CREATE TEMP TABLE IF NOT EXISTS detected_signals (
    id text PRIMARY KEY, rule text NOT NULL, subject text NOT NULL, starts text COLLATE "C" NOT NULL,
    title jsonb NOT NULL, summary jsonb NOT NULL, stage text NOT NULL, current_days smallint NOT NULL,
    first_seen_on date NOT NULL, last_seen_on date NOT NULL,
    total integer NOT NULL, independent integer NOT NULL, figures jsonb NOT NULL) ON COMMIT DROP;
  CREATE TEMP TABLE IF NOT EXISTS detected_signal_changes (id text NOT NULL, position bigint NOT NULL) ON COMMIT DROP;`;

/** Copies evaluated scopes and detected signals into temporary tables. */
export class Detections {
  private readonly scopes: CopyBuffer;
  private readonly signals: CopyBuffer;
  private readonly changes: CopyBuffer;

  private constructor(client: pg.PoolClient) {
    this.scopes = new CopyBuffer(client, 'evaluated_scopes (rule, subject, starts_from, starts_to)');
    this.signals = new CopyBuffer(
      client,
      'detected_signals (id, rule, subject, starts, title, summary, stage, current_days, first_seen_on, last_seen_on, ' +
        'total, independent, figures)',
    );
    this.changes = new CopyBuffer(client, 'detected_signal_changes (id, position)');
  }

  static async open(client: pg.PoolClient): Promise<Detections> {
    await client.query(TABLES);
    return new Detections(client);
  }

  /** Stored signals of the scopes that are not detected will be deleted. */
  async add(rule: SignalRule, { scopes = [], signals = [] }: Evaluation): Promise<void> {
    for (const { subject, from = null, to = null } of scopes) this.scopes.add([rule, subject, from, to]);
    for (const signal of signals) {
      const id = signalId({ rule, ...signal });
      this.signals.add([
        id,
        rule,
        signal.subject,
        signal.starts,
        JSON.stringify(signal.title),
        JSON.stringify(signal.summary),
        signal.stage,
        signal.currentDays,
        signal.firstSeen,
        signal.lastSeen,
        [...signal.figures.values()].reduce((sum, count) => sum + count, 0),
        signal.independent,
        JSON.stringify(Object.fromEntries(signal.figures)),
      ]);
      for (const position of signal.changes) this.changes.add([id, position]);
    }
    // A connection carries one COPY at a time.
    for (const buffer of [this.scopes, this.signals, this.changes]) await buffer.flush();
  }
}
