import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const TABLES = [
  'roles',
  'tables/catalogue',
  'tables/figures',
  'tables/register',
  'tables/changes',
  'tables/derived',
  'tables/search',
  'tables/publishing',
  'tables/accounts',
  'tables/following',
] as const;
/** What a migration may make anew on tables of an earlier version, in this order. */
const RULES = [
  'functions/content',
  'functions/accounts',
  'triggers',
  'policies/content',
  'policies/accounts',
] as const;

const sqlOf = (files: readonly string[]): string =>
  files.map((name) => readFileSync(join(import.meta.dirname, `${name}.sql`), 'utf8')).join('\n');

/** Functions, triggers, policies and grants. */
export const schemaRules = (): string => sqlOf(RULES);

/** The schema of this version, for an empty database. */
export const wholeSchema = (): string => sqlOf([...TABLES, ...RULES]);
