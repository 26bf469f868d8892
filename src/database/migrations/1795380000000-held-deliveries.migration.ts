import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries that the audit held, with their content, until an operator accepts or drops them. */
export class HeldDeliveries1795380000000 implements MigrationInterface {
  readonly name = 'HeldDeliveries1795380000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE held_deliveries (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        publisher text NOT NULL,
        -- As the delivery was read, so that accepting it reads the same.
        name text NOT NULL,
        vintage_day date NOT NULL,
        basis text NOT NULL CHECK (basis IN ('released','retrieved')),
        bytes bigint NOT NULL,
        -- What the operator of the import had allowed.
        backfill boolean NOT NULL,
        replace boolean NOT NULL,
        skip_bad_rows boolean NOT NULL,
        digest text NOT NULL,
        findings jsonb NOT NULL,
        held_at timestamptz NOT NULL,
        state text NOT NULL DEFAULT 'held' CHECK (state IN ('held','accepted','dropped')),
        decided_at timestamptz,
        decided_by text,
        reason text,
        data_version integer REFERENCES publications ON DELETE SET NULL,
        CHECK ((state = 'held') = (decided_at IS NULL))
      );
      -- The same content is held once.
      CREATE UNIQUE INDEX held_deliveries_content ON held_deliveries (publisher, vintage_day, digest) WHERE state = 'held';

      -- Batches of the delivery: lines of JSON, compressed, in order.
      CREATE TABLE held_delivery_parts (
        delivery_id integer NOT NULL REFERENCES held_deliveries ON DELETE CASCADE,
        number integer NOT NULL,
        content bytea NOT NULL,
        PRIMARY KEY (delivery_id, number)
      );

      GRANT SELECT, INSERT, UPDATE, DELETE ON held_deliveries, held_delivery_parts TO tidemark_import;
      GRANT SELECT (id, state) ON held_deliveries TO tidemark_api;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE held_delivery_parts; DROP TABLE held_deliveries');
  }
}
