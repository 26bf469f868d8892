import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the receiver of a channel took the last attempts, so that one that never answers delays no other. */
export class ReceiverHealth1796700000000 implements MigrationInterface {
  readonly name = 'ReceiverHealth1796700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
ALTER TABLE notification_channels
  -- Whether the last attempt got a response, of whatever status.
  ADD answered boolean NOT NULL DEFAULT false,
  -- Time-outs since the last attempt that was none.
  ADD timeouts integer NOT NULL DEFAULT 0 CHECK (timeouts >= 0),
  -- Until then, no attempt is made; notifications wait.
  ADD paused_until timestamptz;
UPDATE notification_channels c SET answered = true
WHERE EXISTS (SELECT 1 FROM notifications n WHERE n.channel_id = c.id AND n.last_status IS NOT NULL);
`;

const DOWN = `
ALTER TABLE notification_channels DROP answered, DROP timeouts, DROP paused_until;
`;
