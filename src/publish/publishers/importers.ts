import type { Importer } from '../batches/importer.js';
import { gleif } from './gleif/gleif.importer.js';
import { sec } from './sec.js';
import { bls } from './bls.js';
import { estat } from './estat/estat.importer.js';
import { releases } from './releases/releases.importer.js';
import { worldbank } from './worldbank/worldbank.importer.js';
import { ecb } from './ecb.js';
import { eia } from './eia.js';
import { usTreasury } from './us-treasury.js';
import { worldbankPinksheet } from './worldbank-pinksheet.js';
import { mappedImporters } from './mapped/mapped.importer.js';
import { frbH15 } from './frb-h15.js';
import { frb } from './frb.js';
import { fomcSchedule } from './fomc-schedule.js';
import { blsSchedule } from './bls-schedule.js';
import { beaSchedule } from './bea-schedule.js';
import { ownMember } from '../../domain/names/own-member.js';

const SHIPPED = [worldbank, ecb, eia, usTreasury, worldbankPinksheet, frbH15, frb, bls, blsSchedule].concat([
  beaSchedule,
  fomcSchedule,
  releases,
  estat,
  gleif,
  sec,
]);

/** The shipped importers, by the name on the command line. */
export const IMPORTERS: Readonly<Record<string, Importer>> = Object.fromEntries(
  SHIPPED.map((importer) => [importer.publisher, importer]),
);

/** The importer of a mapping of the catalogue, or else the shipped one. */
export const importerNamed = (publisher: string): Importer | undefined =>
  ownMember(mappedImporters(), publisher) ?? ownMember(IMPORTERS, publisher);

export const publisherNames = (): string[] => Object.keys({ ...IMPORTERS, ...mappedImporters() });
