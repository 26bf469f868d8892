import type pg from 'pg';
import { CopyBuffer } from '../../store/copy-rows.js';
import { signalId, type Scope, type Signal } from './signal.js';

const TABLES = `
  CREATE TEMP TABLE asked (rule text NOT NULL, subject text NOT NULL, starts_from text COLLATE "C",
    starts_to text COLLATE "C") ON COMMIT DROP;
  CREATE TEMP TABLE found (
    id text PRIMARY KEY, rule text NOT NULL, subject text NOT NULL, starts text COLLATE "C" NOT NULL,
    title jsonb NOT NULL, summary jsonb NOT NULL, judged text NOT NULL, current_days smallint NOT NULL,
    first_seen_on date NOT NULL, last_seen_on date NOT NULL,
    total integer NOT NULL, independent integer NOT NULL, figures jsonb NOT NULL) ON COMMIT DROP;
  CREATE TEMP TABLE found_changes (id text NOT NULL, position bigint NOT NULL) ON COMMIT DROP;`;

/** What the rules were asked about and what they have found, on its way into temporary tables. */
export class Findings {
  private readonly scopes: CopyBuffer;
  private readonly signals: CopyBuffer;
  private readonly changes: CopyBuffer;

  private constructor(client: pg.PoolClient) {
    this.scopes = new CopyBuffer(client, 'asked (rule, subject, starts_from, starts_to)');
    this.signals = new CopyBuffer(
      client,
      'found (id, rule, subject, starts, title, summary, judged, current_days, first_seen_on, last_seen_on, ' +
        'total, independent, figures)',
    );
    this.changes = new CopyBuffer(client, 'found_changes (id, position)');
  }

  static async open(client: pg.PoolClient): Promise<Findings> {
    await client.query(TABLES);
    return new Findings(client);
  }

  /** A signal of this scope that is not found is over and done with. */
  asked({ rule, subject, from, to }: Scope): void {
    this.scopes.add([rule, subject, from, to]);
  }

  found(signal: Signal): void {
    const id = signalId(signal);
    this.signals.add([
      id,
      signal.rule,
      signal.subject,
      signal.starts,
      JSON.stringify(signal.title),
      JSON.stringify(signal.summary),
      signal.judged,
      signal.currentDays,
      signal.firstSeen,
      signal.lastSeen,
      [...signal.figures.values()].reduce((sum, count) => sum + count, 0),
      signal.independent,
      JSON.stringify(Object.fromEntries(signal.figures)),
    ]);
    for (const position of signal.changes) this.changes.add([id, position]);
  }

  /** One after the other: the connection carries one COPY at a time. */
  async send(): Promise<void> {
    for (const buffer of [this.scopes, this.signals, this.changes]) await buffer.flush();
  }
}
