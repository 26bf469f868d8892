import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A migration, and what an operator must know of it before it runs. */
export abstract class ReleaseMigration implements MigrationInterface {
  abstract readonly name: string;
  /** The migration that must be the newest one before it; undefined: any. */
  readonly follows?: string;
  /** Queries what a new constraint refuses: `row`, a line for the operator each; undefined: it refuses nothing. */
  readonly objections?: string;
  /** Tables that readers cannot use while it runs. */
  abstract readonly locks: readonly string[];
  /** The oldest version whose instances keep serving during and after it; null: they have to be stopped first. */
  abstract readonly serves: string | null;
  abstract up(runner: QueryRunner): Promise<void>;

  down(): Promise<void> {
    return Promise.reject(new Error('Restore the backup instead'));
  }
}
