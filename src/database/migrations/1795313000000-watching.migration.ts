import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The readiness check reads the list of applied migrations. */
export class Watching1795313000000 implements MigrationInterface {
  readonly name = 'Watching1795313000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('GRANT SELECT ON migrations TO tidemark_api');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('REVOKE SELECT ON migrations FROM tidemark_api');
  }
}
