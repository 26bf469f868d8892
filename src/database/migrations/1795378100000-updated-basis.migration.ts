import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A day of an update is no release: tables of e-Stat and the World Bank's database state when they were updated. Portals
 * republish what others made, so that a sentence can credit the maker.
 */
export class UpdatedBasis1795378100000 implements MigrationInterface {
  readonly name = 'UpdatedBasis1795378100000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, column] of CHECKED) {
      await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_${column}_check`);
      await runner.query(ADD(table, column, table === 'changes' ? [...BASES, 'observed'] : BASES));
    }
    await runner.query(UPDATED);
    await runner.query(`
      ALTER TABLE sources ADD COLUMN portal boolean NOT NULL DEFAULT false;
      UPDATE sources SET portal = true WHERE id = 'estat';`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sources DROP COLUMN portal');
    for (const [table, column] of CHECKED) {
      const held = BASES.filter((basis) => basis !== 'updated');
      await runner.query(`UPDATE ${table} SET ${column} = 'released' WHERE ${column} = 'updated'`);
      await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_${column}_check`);
      await runner.query(ADD(table, column, table === 'changes' ? [...held, 'observed'] : held));
    }
  }
}

const BASES = ['released', 'updated', 'retrieved'];
const CHECKED = [
  ['series_vintages', 'basis'],
  ['declared_vintages', 'basis'],
  ['register_vintages', 'basis'],
  ['changes', 'occurred_basis'],
] as const;

const ADD = (table: string, column: string, bases: readonly string[]): string =>
  `ALTER TABLE ${table} ADD CONSTRAINT ${table}_${column}_check
   CHECK (${column} IN (${bases.map((basis) => `'${basis}'`).join(', ')}))`;

/** Earlier imports took these sources' days of update for days of release. */
const UPDATED = `
  UPDATE series_vintages v SET basis = 'updated' FROM series s
  WHERE s.id = v.series_id AND s.source_id IN ('estat', 'worldbank-wdi') AND v.basis = 'released';
  UPDATE declared_vintages v SET basis = 'updated' FROM indicators i
  WHERE i.slug = v.indicator AND i.source_id IN ('estat', 'worldbank-wdi') AND v.basis = 'released';
  UPDATE changes SET occurred_basis = 'updated'
  WHERE source_id IN ('estat', 'worldbank-wdi') AND occurred_basis = 'released';`;
