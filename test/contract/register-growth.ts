import type { DataSource } from 'typeorm';

const ENTITIES = `
  INSERT INTO entities (id, lei, name, type, country, status, source_id)
  SELECT 'ent_grown' || n, upper(lpad(to_hex(n), 18, '0')) || '00', 'Company ' || md5(n::text) || ' number ' || n % 500,
    'legal_entity', (ARRAY['DE','FR','JP','US','GB'])[1 + n % 5], 'active', 'gleif' FROM generate_series(1, $1) n`;

/** Every entity except the first has a parent; the second has two hundred children. */
const RELATIONS = `
  INSERT INTO relations (child, parent, kind, valid_from, seen_on, backfilled, source_id, data_version)
  SELECT 'ent_grown' || n, 'ent_grown' || CASE WHEN n <= 202 THEN 2 ELSE n / 10 END, kind, '2026-01-01', '2026-01-01',
    false, 'gleif', 1
  FROM generate_series(3, $1) n CROSS JOIN (VALUES ('direct'), ('ultimate')) k (kind)`;

const COMPANIES = `
  INSERT INTO companies (slug, entity_id, listed, folded_name, country, source_id)
  SELECT 'company-' || lower(lei), id, true, lower(name), country, source_id
  FROM entities
  WHERE id LIKE 'ent_grown%'`;

/** Creates this many legal entities in groups, each a company. */
export async function growRegister(publisher: DataSource, owner: DataSource, entities: number): Promise<void> {
  for (const sql of [ENTITIES, RELATIONS]) await publisher.query(sql, [entities]);
  await publisher.query(COMPANIES);
  await owner.query('VACUUM ANALYZE entities, relations, companies');
}
