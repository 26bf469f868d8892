import { requireHeldEntries } from '../../src/publish/catalogue/held-entries.js';
import { renderAgain } from '../../src/publish/rendering/render-again.js';
import { growth, NOW, usePublishing } from './publishing.js';

/** As if an operator's own catalogue had named them at the import. */
const FOREIGN = `
  UPDATE indicators SET unit = 'barrels_a_day' WHERE slug = 'gdp-growth';
  UPDATE sources SET licence = 'house-internal' WHERE id = 'worldbank-wdi'`;

describe('A catalogue that lacks what the database has', () => {
  const { sql, publish, publisher, reader } = usePublishing();
  beforeEach(() => publish('2026-01-10', growth({ 2024: '0.1' })));

  it('is refused by name, at the start of a server and before texts are rendered', async () => {
    await expect(requireHeldEntries(reader())).resolves.toBeUndefined();
    await sql(FOREIGN);
    const refusal =
      'the database has figures of which the catalogue lacks licences house-internal; units barrels_a_day: set CATALOGUE_DIR';
    await expect(requireHeldEntries(reader())).rejects.toThrow(refusal);
    await expect(renderAgain(publisher(), () => NOW, { fingerprint: 'another' })).rejects.toThrow(refusal);
  });

  it('is put right by the next import if no figure uses that', async () => {
    await sql(`${FOREIGN}; TRUNCATE series, publications CASCADE`);
    await expect(requireHeldEntries(reader())).resolves.toBeUndefined();
    await publish('2026-01-10', growth({ 2024: '0.1' }));
    await expect(requireHeldEntries(reader())).resolves.toBeUndefined();
    expect(await sql(`SELECT unit FROM indicators WHERE slug = 'gdp-growth'`)).toEqual([{ unit: 'percent' }]);
  });
});
