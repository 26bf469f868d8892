import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Days of published changes, as the publications after this one sum them. */
const HEAT = `
  ALTER TABLE heat_days DROP CONSTRAINT heat_days_pkey, DROP CONSTRAINT heat_days_changes_check,
    ADD COLUMN retrieved boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT heat_days_changes_check CHECK (changes >= 0),
    ADD PRIMARY KEY (coverage, region, day) INCLUDE (importance, changes, retrieved);
  ALTER TABLE heat_days ALTER COLUMN retrieved DROP DEFAULT;
  UPDATE heat_days h SET importance = n.importance, changes = n.changes, retrieved = n.retrieved, top = n.top
  FROM (
    SELECT l.region, k.coverage, c.occurred_at::date AS day,
           coalesce(sum(c.importance) FILTER (WHERE c.importance >= 20), 0) AS importance,
           count(*) FILTER (WHERE c.importance >= 20) AS changes,
           coalesce(bool_or(c.occurred_basis = 'retrieved') FILTER (WHERE c.importance >= 20), false) AS retrieved,
           coalesce((array_agg(c.position ORDER BY c.importance DESC, c.position DESC)
             FILTER (WHERE c.importance >= 20))[1:3], '{}') AS top
    FROM changes c JOIN change_regions l ON l.position = c.position
      CROSS JOIN LATERAL (
        SELECT '' AS coverage UNION ALL SELECT x.coverage FROM change_coverage x WHERE x.position = c.position) k
    WHERE c.status <> 'withdrawn' GROUP BY 1, 2, 3) n
  WHERE (h.region, h.coverage, h.day) = (n.region, n.coverage, n.day)`;

/** How much people watch a subject, which the next import writes, and the facts of a re-basing that is one change. */
export class Attention1795377000000 implements MigrationInterface {
  readonly name = 'Attention1795377000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['indicators', 'instruments']) {
      await runner.query(`
        ALTER TABLE ${table} ADD COLUMN attention smallint NOT NULL DEFAULT 50 CHECK (attention BETWEEN 30 AND 100);
        ALTER TABLE ${table} ALTER COLUMN attention DROP DEFAULT`);
    }
    await runner.query(`
      ALTER TABLE changes ADD COLUMN rebasing jsonb,
        ADD CONSTRAINT changes_rebasing CHECK (rebasing IS NULL OR kind = 'revision');
      ${HEAT}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM heat_days WHERE changes = 0;
      ALTER TABLE heat_days DROP CONSTRAINT heat_days_pkey, DROP CONSTRAINT heat_days_changes_check, DROP COLUMN retrieved,
        ADD CONSTRAINT heat_days_changes_check CHECK (changes > 0),
        ADD PRIMARY KEY (coverage, region, day) INCLUDE (importance, changes);
      ALTER TABLE changes DROP COLUMN rebasing;
      ALTER TABLE instruments DROP COLUMN attention;
      ALTER TABLE indicators DROP COLUMN attention`);
  }
}
