import type { QueryRunner } from 'typeorm';
import { LOCALES } from '../../../domain/locale/locale.js';
import { ReleaseMigration } from '../release-migration.js';
import { schemaLanguages, WITH_LOCALE } from '../schema-files.js';

/** Its name has the languages of this version, so it runs again in the version that adds one. Texts follow with the next rendering. */
export class Languages1799200000000 extends ReleaseMigration {
  readonly name = `Languages_${LOCALES.join('_')}_1799200000000`;
  readonly locks = [...WITH_LOCALE, 'change_documents'];
  readonly serves = '0.2.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(schemaLanguages());
  }
}
