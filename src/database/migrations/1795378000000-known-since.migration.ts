import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When each change became known: the vintage that first had its figures, which for a market move is later than the
 * observed day. A brief states until when it was compiled if some of its changes became known after its day.
 */
export class KnownSince1795378000000 implements MigrationInterface {
  readonly name = 'KnownSince1795378000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE briefs DROP COLUMN compiled_until; ALTER TABLE changes DROP COLUMN known_since;',
    );
  }
}

const UP = `
ALTER TABLE changes ADD COLUMN known_since date;
-- A move has no vintage of its own; all other changes became known with theirs.
UPDATE changes c SET known_since = coalesce(
  CASE WHEN c.kind = 'move' THEN (
    SELECT o.valid_from FROM observations o
    WHERE o.series_id = c.series_id AND o.period = c.period AND o.value = c.actual_value
    ORDER BY o.valid_to IS NULL DESC, o.valid_from DESC LIMIT 1) END,
  c.vintage_day);
ALTER TABLE changes ALTER COLUMN known_since SET NOT NULL;

ALTER TABLE briefs ADD COLUMN compiled_until date CHECK (compiled_until > day);
UPDATE briefs b SET compiled_until = (
  SELECT max(c.known_since) FROM changes c
  WHERE c.occurred_at >= b.day AND c.occurred_at < b.day + 1 AND c.status <> 'withdrawn' AND c.known_since > b.day);
`;
