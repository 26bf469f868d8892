import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCALES } from '../../domain/locale/locale.js';

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
const RULES = ['functions/content', 'functions/accounts', 'triggers', 'policies/content', 'policies/accounts'] as const;

const sqlOf = (files: readonly string[]): string =>
  files.map((name) => readFileSync(join(import.meta.dirname, `${name}.sql`), 'utf8')).join('\n');

/** Functions, triggers, policies and grants. */
export const schemaRules = (): string => sqlOf(RULES);

/** The schema of this version, for an empty database. */
export const wholeSchema = (): string => sqlOf(TABLES) + schemaLanguages() + sqlOf(RULES);

/** Tables that name the language of a reader. */
export const WITH_LOCALE = ['accounts', 'one_time_tokens', 'authorization_requests'] as const;

/** What names the languages: a text without all of them is refused. Texts of earlier versions stay until they are rendered anew. */
export const schemaLanguages = (locales: readonly string[] = LOCALES): string => `
ALTER DOMAIN localized DROP CONSTRAINT IF EXISTS localized_check;
ALTER DOMAIN localized ADD CONSTRAINT localized_check CHECK (VALUE IS NULL OR (
  ${locales.map((locale) => `coalesce(btrim(VALUE ->> '${locale}') <> '', false)`).join(' AND ')})) NOT VALID;
${WITH_LOCALE.map((table) => withLocale(table, locales)).join('')}${locales.map(withDocuments).join('')}`;

const withLocale = (table: string, locales: readonly string[]): string => `
ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${table}_locale_check,
  ADD CONSTRAINT ${table}_locale_check CHECK (locale IN (${locales.map((locale) => `'${locale}'`).join(', ')}));`;

const withDocuments = (locale: string): string => `
ALTER TABLE change_documents ADD COLUMN IF NOT EXISTS ${locale} text NOT NULL DEFAULT '';
ALTER TABLE change_documents ALTER ${locale} DROP DEFAULT, ALTER ${locale} SET STORAGE MAIN;`;
