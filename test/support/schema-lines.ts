import type { DataSource } from 'typeorm';

const aclOf = (acl: string, kind: string, owner: string): string => `
  (SELECT string_agg(line, ' ' ORDER BY line) FROM (
    SELECT concat(CASE grantee WHEN 0 THEN 'PUBLIC' WHEN ${owner} THEN 'owner' ELSE grantee::regrole::text END, ':',
      lower(privilege_type)) AS line FROM aclexplode(coalesce(${acl}, acldefault('${kind}', ${owner})))) AS granted)`;

/** Objects of the schema public, without those of extensions. */
const own = (id: string): string => `NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = ${id} AND d.deptype = 'e')`;

const LINES = `
  WITH relations AS (
    SELECT c.* FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND ${own('c.oid')})
  SELECT concat_ws(' | ', 'schema', ${aclOf('nspacl', 'n', 'nspowner')}) AS line
    FROM pg_namespace WHERE nspname = 'public'
  UNION ALL
  SELECT concat_ws(' | ', 'relation', relname, relkind, relrowsecurity, relforcerowsecurity, reloptions::text,
      CASE relkind WHEN 'S' THEN ${aclOf('relacl', 's', 'relowner')} ELSE ${aclOf('relacl', 'r', 'relowner')} END,
      CASE relkind WHEN 'v' THEN pg_get_viewdef(oid) WHEN 'i' THEN pg_get_indexdef(oid) END)
    FROM relations
  UNION ALL
  SELECT concat_ws(' | ', 'column', r.relname, row_number() OVER (PARTITION BY r.oid ORDER BY a.attnum), a.attname,
      format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, a.attstorage,
      a.attcollation::regcollation, pg_get_expr(e.adbin, e.adrelid), a.attacl::text)
    FROM relations r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef e ON e.adrelid = r.oid AND e.adnum = a.attnum
    WHERE r.relkind IN ('r', 'v')
  UNION ALL
  SELECT concat_ws(' | ', 'constraint', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL
  SELECT concat_ws(' | ', 'function', pg_get_functiondef(p.oid), ${aclOf('proacl', 'f', 'proowner')})
    FROM pg_proc p WHERE pronamespace = 'public'::regnamespace AND ${own('p.oid')}
  UNION ALL
  SELECT concat_ws(' | ', 'trigger', tgenabled, pg_get_triggerdef(t.oid))
    FROM pg_trigger t JOIN relations r ON r.oid = t.tgrelid WHERE NOT t.tgisinternal
  UNION ALL
  SELECT concat_ws(' | ', 'policy', tablename, policyname, permissive, roles::text, cmd, qual, with_check)
    FROM pg_policies WHERE schemaname = 'public'
  UNION ALL
  SELECT concat_ws(' | ', 'extension', extname) FROM pg_extension
  ORDER BY 1`;

/** What pg_dump would write of a database's schema, one line for each object, in an order of its own. */
export const schemaLines = async (database: DataSource): Promise<string[]> =>
  (await database.query<{ line: string }[]>(LINES)).map(({ line }) => line);
