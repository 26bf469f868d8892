import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A mailed link carries its address and no password, an address has one spelling, and failed sign-ins are audited. */
export class ConfirmedPasswords1796400000000 implements MigrationInterface {
  readonly name = 'ConfirmedPasswords1796400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

// Dropping the column drops its constraint. A pending link of an earlier version is requested again.
const UP = `
DELETE FROM one_time_tokens;
ALTER TABLE one_time_tokens DROP COLUMN password_hash, ALTER COLUMN email SET NOT NULL,
  DROP CONSTRAINT one_time_tokens_check1;

-- The form of normalizeEmail: with it, the unique index of the column admits each mailbox once.
ALTER TABLE accounts ADD CONSTRAINT accounts_email_spelling
  CHECK (email IS NFKC NORMALIZED AND email ~ '^[^@]+@[a-z0-9_-]+(\\.[a-z0-9_-]+)*$');
-- Of a failed sign-in.
ALTER TABLE audit_events DROP CONSTRAINT audit_events_actor_check,
  ADD CONSTRAINT audit_events_actor_check CHECK (actor IN ('owner','operator','unknown'));
`;

const DOWN = `
DELETE FROM audit_events WHERE actor = 'unknown';
ALTER TABLE audit_events DROP CONSTRAINT audit_events_actor_check,
  ADD CONSTRAINT audit_events_actor_check CHECK (actor IN ('owner','operator'));
DELETE FROM one_time_tokens;
ALTER TABLE accounts DROP CONSTRAINT accounts_email_spelling;
ALTER TABLE one_time_tokens ADD COLUMN password_hash text, ALTER COLUMN email DROP NOT NULL,
  ADD CONSTRAINT one_time_tokens_check1 CHECK ((purpose = 'confirm') = (email IS NOT NULL)),
  ADD CHECK ((purpose = 'confirm') = (password_hash IS NOT NULL));
`;
