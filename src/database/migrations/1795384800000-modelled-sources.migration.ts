import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A sentence on a model's estimate credits who made it, and after it who published it. */
export class ModelledSources1795384800000 implements MigrationInterface {
  readonly name = 'ModelledSources1795384800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sources ADD COLUMN modelled boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sources DROP COLUMN modelled');
  }
}
