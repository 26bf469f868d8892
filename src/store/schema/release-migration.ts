import type { MigrationInterface } from 'typeorm';

/** A migration, and what an operator must know of it before it runs. */
export interface ReleaseMigration extends MigrationInterface {
  readonly name: string;
  /** The migration that must be the newest one before it; undefined: any. */
  readonly follows?: string;
  /** Queries what a new constraint refuses: `row`, a line for the operator each; undefined: it refuses nothing. */
  readonly objections?: string;
  /** Tables that readers cannot use while it runs. */
  readonly locks: readonly string[];
  /** The oldest version whose instances keep serving during and after it; null: they have to be stopped first. */
  readonly serves: string | null;
}
