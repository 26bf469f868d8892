// Whether this process has the catalogue of the stored figures: an operator's own may have been removed or forgotten.
import type { DataSource } from 'typeorm';
import { UNITS } from '../../domain/figures/units.js';
import { LICENCES } from '../../domain/sources/licences.js';
import { readCatalogue } from './catalogue.js';

const HELD = `
  WITH subjects AS (
    SELECT 'indicators' AS kind, slug AS key, unit FROM indicators i WHERE EXISTS (
      SELECT FROM series s WHERE s.indicator = i.slug)
    UNION ALL SELECT 'instruments', key, unit FROM instruments n WHERE EXISTS (
      SELECT FROM series s WHERE s.instrument = n.key)),
  cited AS (
    SELECT id, licence FROM sources p WHERE EXISTS (SELECT FROM series s WHERE s.source_id = p.id)),
  held AS (
    SELECT kind, key FROM subjects UNION SELECT 'units', unit FROM subjects
    UNION SELECT 'sources', id FROM cited UNION SELECT 'licences', licence FROM cited
    UNION SELECT 'regions', region FROM series WHERE region IS NOT NULL)
  SELECT kind, key FROM held WHERE kind || ' ' || key <> ALL ($1) ORDER BY kind, key COLLATE "C"`;

const MOST_KEYS = 5;

/** @throws with what the catalogue lacks: neither a server nor a rendering can do without it */
export async function requireHeldEntries(database: Pick<DataSource, 'query'>): Promise<void> {
  const lacking = await database.query<{ kind: string; key: string }[]>(HELD, [known()]);
  if (lacking.length === 0) return;
  const kinds = [...new Set(lacking.map(({ kind }) => kind))].map((kind) => {
    const keys = lacking.filter((one) => one.kind === kind).map(({ key }) => key);
    const more = keys.length > MOST_KEYS ? ` and ${keys.length - MOST_KEYS} more` : '';
    return `${kind} ${keys.slice(0, MOST_KEYS).join(', ')}${more}`;
  });
  throw new Error(
    `the database has figures of which the catalogue lacks ${kinds.join('; ')}: set CATALOGUE_DIR to the folder that ` +
      'their import had, or put these entries back',
  );
}

function known(): string[] {
  const { sources, regions, indicators, instruments } = readCatalogue();
  const keys = {
    indicators: indicators.map(({ slug }) => slug),
    instruments: instruments.map(({ key }) => key),
    units: Object.keys(UNITS),
    sources: sources.map(({ id }) => id),
    licences: Object.keys(LICENCES),
    regions: regions.map(({ code }) => code),
  };
  return Object.entries(keys).flatMap(([kind, all]) => all.map((key) => `${kind} ${key}`));
}
