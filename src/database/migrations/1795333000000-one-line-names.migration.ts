import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Names from registers, and names of keys and alerts, fit on one line. Earlier imports stored them as their files
 * contained them: this migration normalises those rows and the texts made from them once. From now on importers and
 * commands normalise names, and the tables reject others.
 */
export class OneLineNames1795333000000 implements MigrationInterface {
  readonly name = 'OneLineNames1795333000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FUNCTIONS);
    await runner.query(FOLD);
    await runner.query(CHECKS);
    await runner.query('DROP FUNCTION pg_temp.folded_texts(jsonb), pg_temp.folded(text)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      CHECKED.map((table) => `ALTER TABLE ${table} DROP CONSTRAINT ${table}_name_one_line`).join(';'),
    );
  }
}

const CHECKED = ['entities', 'registrants', 'api_keys', 'alerts'];

/** White space other than a plain space, control characters, and line and paragraph separators. */
const BLANK = String.raw`\u0001-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000`;
/** Format characters, fillers and tags. Joiners and variation selectors stay, because some scripts need them. */
const INVISIBLE =
  String.raw`\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff` +
  String.raw`\uffa0\ufff0-\ufffb\U000e0000-\U000e00ff`;
const REFUSED = `[${BLANK}${INVISIBLE}]`;

const FUNCTIONS = `
CREATE FUNCTION pg_temp.folded(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT btrim(regexp_replace(regexp_replace(name, '[${INVISIBLE}]+', '', 'g'), '[ ${BLANK}]+', ' ', 'g'))
$$;
CREATE FUNCTION pg_temp.folded_texts(texts jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_object_agg(t.key, pg_temp.folded(t.value)) FROM jsonb_each_text(texts) AS t
$$;
`;

/** Columns with sentences that may contain a name. */
const TEXTS = [
  ['changes', 'headline'],
  ['changes', 'summary'],
  ['brief_items', 'headline'],
  ['briefs', 'title'],
  ['briefs', 'summary'],
  ['search_texts', 'title'],
] as const;

const FOLD = `
UPDATE entities SET name = coalesce(nullif(pg_temp.folded(name), ''), lei, 'CIK ' || cik) WHERE name ~ '${REFUSED}';
UPDATE entities SET name_language = NULL WHERE name_language !~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$';
UPDATE registrants SET name = coalesce(nullif(pg_temp.folded(name), ''), 'CIK ' || cik) WHERE name ~ '${REFUSED}';
UPDATE api_keys SET name = coalesce(nullif(pg_temp.folded(name), ''), id) WHERE name ~ '${REFUSED}';
UPDATE alerts SET name = coalesce(nullif(pg_temp.folded(name), ''), id) WHERE name ~ '${REFUSED}';
${TEXTS.map(
  ([table, column]) =>
    `UPDATE ${table} SET ${column} = pg_temp.folded_texts(${column}) WHERE EXISTS (
       SELECT FROM jsonb_each_text(${column}) AS t WHERE t.value ~ '${REFUSED}');`,
).join('\n')}
`;

const CHECKS = CHECKED.map(
  (table) => `ALTER TABLE ${table} ADD CONSTRAINT ${table}_name_one_line CHECK (name !~ '${REFUSED}')`,
).join(';\n');
