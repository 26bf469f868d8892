import type { Importer } from '../batches/importer.js';
import { gleif } from './gleif/gleif.importer.js';
import { sec } from './sec/sec.importer.js';
import { bls } from './bls/bls.importer.js';
import { estat } from './estat/estat.importer.js';
import { releases } from './releases/releases.importer.js';
import { worldbank } from './worldbank/worldbank.importer.js';
import { ecb } from './ecb/ecb.importer.js';
import { eia } from './eia/eia.importer.js';
import { usTreasury } from './us-treasury/us-treasury.importer.js';
import { worldbankPinksheet } from './worldbank-pinksheet/worldbank-pinksheet.importer.js';
import { mappedImporters } from './mapped/mapped.importer.js';
import { frbH15 } from './frb-h15/frb-h15.importer.js';
import { frb } from './frb/frb.importer.js';
import { fomcSchedule } from './fomc-schedule/fomc-schedule.importer.js';
import { blsSchedule } from './bls-schedule/bls-schedule.importer.js';
import { beaSchedule } from './bea-schedule/bea-schedule.importer.js';
import { ownMember } from '../../domain/names/own-member.js';

/** The shipped importers, by the name on the command line. */
export const IMPORTERS: Readonly<Record<string, Importer>> = {
  [worldbank.publisher]: worldbank,
  [ecb.publisher]: ecb,
  [eia.publisher]: eia,
  [usTreasury.publisher]: usTreasury,
  [worldbankPinksheet.publisher]: worldbankPinksheet,
  [frbH15.publisher]: frbH15,
  [frb.publisher]: frb,
  [bls.publisher]: bls,
  [blsSchedule.publisher]: blsSchedule,
  [beaSchedule.publisher]: beaSchedule,
  [fomcSchedule.publisher]: fomcSchedule,
  [releases.publisher]: releases,
  [estat.publisher]: estat,
  [gleif.publisher]: gleif,
  [sec.publisher]: sec,
};

/** The importer of a mapping of the catalogue, or else the shipped one. */
export const importerNamed = (publisher: string): Importer | undefined =>
  ownMember(mappedImporters(), publisher) ?? ownMember(IMPORTERS, publisher);

export const publisherNames = (): string[] => Object.keys({ ...IMPORTERS, ...mappedImporters() });
