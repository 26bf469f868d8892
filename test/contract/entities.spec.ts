import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { TypeOrmModule } from '@nestjs/typeorm';
import { getMetadataArgsStorage, type DataSource, type EntityTarget, type ObjectLiteral } from 'typeorm';
import { createDataSource } from '../../src/store/data-source.js';
import { RESOURCES } from '../../src/serve/resources/index.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const SRC = join(__dirname, '../../src');
const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.entity.ts'));
const SETTINGS = { size: 2, statementTimeout: 0, applicationName: 'test-entities' };

/**
 * Removes from the suite's own database what an entity cannot express: checks, exclusions, generated columns, and an
 * identity that is not the primary key. TypeORM does not compare row-level security, triggers, expression indexes or
 * the domain `localized` (its base type is `jsonb`); of an index it compares the columns, but neither their order nor
 * its condition.
 */
const KEEP_WHAT_ENTITIES_STATE = `
  DO $$
  DECLARE
    one record;
  BEGIN
    FOR one IN SELECT conrelid::regclass AS on_table, conname FROM pg_constraint
      WHERE contype IN ('c', 'x') AND conrelid <> 0 AND connamespace = 'public'::regnamespace
    LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.on_table, one.conname); END LOOP;
    FOR one IN SELECT attrelid::regclass AS on_table, attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE attgenerated <> '' AND relkind = 'r' AND relnamespace = 'public'::regnamespace
    LOOP EXECUTE format('ALTER TABLE %s ALTER COLUMN %I DROP EXPRESSION', one.on_table, one.attname); END LOOP;
    ALTER TABLE alerts ALTER position DROP IDENTITY;
  END $$`;

/** These come from the tables of other resources. */
const WITHOUT_TABLE = ['SeriesModule', 'SourcesModule', 'ReceiptsModule'];

it('A resource registers the entity of its main table', () => {
  const registers = (resource: object): boolean =>
    (Reflect.getMetadata('imports', resource) as { module?: unknown }[] | undefined)?.some(
      ({ module }) => module === TypeOrmModule,
    ) ?? false;
  expect(RESOURCES.filter((resource) => !registers(resource)).map(({ name }) => name)).toEqual(WITHOUT_TABLE);
});

describe('The entities', () => {
  let database: TestDatabase;
  let owner: DataSource;

  beforeAll(() => Promise.all(FILES.map((file) => import(join(SRC, file)))));
  beforeEach(async () => {
    const entities = getMetadataArgsStorage().tables.map(({ target }) => target as EntityTarget<ObjectLiteral>);
    database = await createTestDatabase('empty');
    owner = await createDataSource(database.connections.to('admin'), SETTINGS, entities).initialize();
    await owner.query(KEEP_WHAT_ENTITIES_STATE);
  });
  afterEach(async () => {
    await owner.destroy();
    await database.drop();
  });

  /** The statements that would make the tables equal to the entities. */
  const difference = async (): Promise<string[]> =>
    (await owner.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query);

  it('equal the tables that the migrations create', async () => {
    expect(FILES.length).toBeGreaterThan(10);
    expect(await difference()).toEqual([]);
  });

  it.each([
    ['a column of another type', 'ALTER TABLE topics ALTER ordinal TYPE integer'],
    ['a column that may be null', 'ALTER TABLE signals ALTER stage DROP NOT NULL'],
    ['a column more', 'ALTER TABLE briefs ADD author text'],
    ['a column less', 'ALTER TABLE alerts DROP met'],
    ['another default', `ALTER TABLE accounts ALTER status SET DEFAULT 'suspended'`],
    ['another collation', 'ALTER TABLE companies ALTER folded_name TYPE text COLLATE "default"'],
    ['another primary key', 'ALTER TABLE daily_usage DROP CONSTRAINT daily_usage_pkey, ADD PRIMARY KEY (day)'],
    ['a foreign key less', 'ALTER TABLE changes DROP CONSTRAINT changes_source_id_fkey'],
    ['a unique constraint less', 'ALTER TABLE entities DROP CONSTRAINT entities_lei_key'],
    ['an index less', 'DROP INDEX changes_run'],
    ['an index more', 'CREATE INDEX changes_delta ON changes (delta)'],
  ])('differ from a table with %s', async (_what, change) => {
    await owner.query(change);
    expect(await difference()).not.toEqual([]);
  });
});
