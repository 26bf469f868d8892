// What keeps the figures of a withheld source from being served under another name.
import type { CatalogueFault, CatalogueEntry } from '../../domain/catalogue/catalogue-files.js';
import { isNamedIn } from '../../domain/sources/named-source.js';
import type { FoundFiles } from './catalogue-entries.js';
import type { SourceEntry } from './catalogue.schema.js';

export function sourceFaults({ sources, licences, indicators }: FoundFiles): CatalogueFault[] {
  const faults: CatalogueFault[] = [];
  const say = ({ file, key }: CatalogueEntry, reason: string): void => void faults.push({ file, entry: key, reason });
  for (const entry of licences.entries) {
    if (entry.shipped !== null) say(entry, 'is a shipped licence, whose terms stay: name your own');
  }
  const terms = new Map(licences.entries.map(({ key, value }) => [key, value]));
  const withheld = sources.entries.filter(({ value, shipped }) => value.withheld || isWithheld(shipped));
  for (const entry of sources.entries) {
    const { licence, withheld: isHeld } = entry.value;
    const licensed = terms.get(licence);
    if (!licences.keys.has(licence)) say(entry, `licence: the catalogue has no licence ${licence}`);
    if (isHeld) continue;
    if (licensed !== undefined && !(licensed.redistribution && licensed.derivation)) {
      say(entry, `its licence ${licence} allows no redistribution or derivation: it must be withheld`);
    }
    if (isWithheld(entry.shipped)) say(entry, 'is withheld by the shipped catalogue, and stays so');
    const body = withheld.find((other) => other.key !== entry.key && isOf(entry.value, other.value));
    if (body !== undefined) say(entry, `its figures are those of ${body.key}, so it must be withheld`);
  }
  const byId = new Map(sources.entries.map(({ key, value }) => [key, value]));
  for (const entry of indicators.entries) {
    const { source, origins } = entry.value;
    for (const id of origins) {
      if (!sources.keys.has(id)) say(entry, `origins: the catalogue has no source ${id}`);
    }
    if (byId.get(source)?.republishes === true && origins.length === 0) {
      say(entry, `origins: ${source} republishes figures of others; name the sources of these`);
    }
  }
  return faults;
}

const isWithheld = (shipped: unknown): boolean =>
  typeof shipped === 'object' && shipped !== null && 'withheld' in shipped && shipped.withheld === true;

const isOf = ({ publisher, name }: SourceEntry, { id, publisher: held }: SourceEntry): boolean =>
  [publisher.en, name.en].some((text) => isNamedIn(text, { id, publisher: held.en }));
