import { createReadStream } from 'node:fs';
import { readEntries } from '../../../domain/catalogue/catalogue-files.js';
import { openDeliveries } from '../../batches/deliveries.js';
import type { Importer } from '../../batches/importer.js';
import { mappingEntry, type MappingEntry } from '../../catalogue/catalogue.schema.js';
import { readMapped, requireColumns } from './mapped-rows.js';

let importers: Readonly<Record<string, Importer>> | undefined;

/**
 * The importers of the catalogue's mappings, by publisher. A mapping with a fault has none: what needs the catalogue
 * reports the fault.
 */
export function mappedImporters(): Readonly<Record<string, Importer>> {
  importers ??= Object.fromEntries(
    readEntries('mappings', mappingEntry).entries.map(({ key, value }) => [key, mapped(value)]),
  );
  return importers;
}

/** A publisher's CSV as its mapping describes it. It does not state its day. */
const mapped = (mapping: MappingEntry): Importer => ({
  publisher: mapping.publisher,
  open: (paths, vintage, onStray) =>
    openDeliveries(
      paths,
      vintage,
      async (path) => {
        await requireColumns(createReadStream(path), path, mapping);
        return { stated: null, read: (chunks) => readMapped(chunks, path, mapping) };
      },
      undefined,
      onStray,
    ),
});
