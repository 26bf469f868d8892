import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When newer figures of a series are due; the next import writes it, and until then nothing is overdue. */
export class Timetables1795374000000 implements MigrationInterface {
  readonly name = 'Timetables1795374000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(['indicators', 'instruments'].map(withTimetable).join(''));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE instruments DROP COLUMN timetable;
      ALTER TABLE indicators DROP COLUMN timetable`);
  }
}

const ONCE_IN_A_CENTURY = JSON.stringify({
  ...{ timeZone: 'UTC', time: '12:00', releases: { on: 'day' } },
  ...{ delayDays: 36_525, graceDays: 0 },
});

const withTimetable = (table: string): string => `
  ALTER TABLE ${table} ADD COLUMN timetable jsonb NOT NULL DEFAULT '${ONCE_IN_A_CENTURY}';
  ALTER TABLE ${table} ALTER COLUMN timetable DROP DEFAULT;`;
