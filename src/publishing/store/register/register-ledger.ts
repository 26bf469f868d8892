// Legal entities, who consolidates whom, and registrants: what deliveries say of them, beside figures.
import { ImportError, type Batch } from '../../importers/importer.js';
import type { EntityRow, RegistrantRow, RelationExtent, RelationRow } from '../../importers/register-rows.js';
import type { RecordedRevision } from '../../revisions/record-revision.js';
import { badRowLine } from '../bad-rows.js';
import { CopyBuffer } from '../copy-rows.js';
import type { Ledger, LedgerJudgement, OpenLedger, Permissions, Publication } from '../ledger.js';
import { compareEntities, contradictoryEntity, storeEntities, type CellCounts } from './entity-cells.js';
import { entityMatchName, registrantMatchName } from './match-name.js';
import { compareRegistrants, storeRegistrants } from './registrants.js';
import { compareRelations, judgeRelations, storeRelations } from './relation-actions.js';
import { createStagedRegister, gatherTold } from './told-tables.js';

const NOTHING: LedgerJudgement = { kind: null, counts: {}, families: [] };
/** From so many rows on the planner's statistics are refreshed at once. */
const ANALYZE_FROM = 10_000;

export const openRegisterLedger: OpenLedger = (publication) =>
  Promise.resolve(new RegisterLedger(publication));

class RegisterLedger implements Ledger {
  private sources = new Set<string>();
  private ordinal = 0;
  private readonly entities: CopyBuffer;
  private readonly relations: CopyBuffer;
  private readonly extents: CopyBuffer;
  private readonly registrants: CopyBuffer;

  constructor(private readonly publication: Publication) {
    const { client } = publication;
    this.entities = new CopyBuffer(client, 'staged_entities');
    this.relations = new CopyBuffer(client, 'staged_relations');
    this.extents = new CopyBuffer(client, 'staged_extents');
    this.registrants = new CopyBuffer(client, 'staged_registrants');
  }

  async take(batch: Batch): Promise<void> {
    if (!('source' in batch)) return;
    if (this.sources.size === 0) await createStagedRegister(this.publication.client);
    this.sources.add(batch.source);
    if (batch.kind === 'entities') for (const row of batch.rows) this.addEntity(row, batch.source);
    else if (batch.kind === 'relations') for (const row of batch.rows) this.addRelation(row, batch.source);
    else if (batch.kind === 'registrants')
      for (const row of batch.rows) this.addRegistrant(row, batch.source);
    else for (const extent of batch.extents) this.addExtent(extent, batch.source);
    // One after the other: a connection copies to one table at a time.
    for (const buffer of this.buffers) await buffer.flush();
  }

  async compare(allowed: Permissions): Promise<LedgerJudgement> {
    if (this.sources.size === 0) return NOTHING;
    const { client, delivery, bad } = this.publication;
    const contradiction = await contradictoryEntity(client);
    if (contradiction !== null) {
      throw new ImportError(`${delivery.name} describes one legal entity in two ways: ${contradiction}`);
    }
    await gatherTold(client);
    const closes = bad.count === 0;
    await judgeRelations(client, delivery.vintage, closes);
    const entities = await compareEntities(client, delivery.vintage);
    const relations = await compareRelations(client, delivery.vintage);
    const registrants = await compareRegistrants(client, delivery.vintage, closes);
    const cells = [entities, relations, registrants];
    const sum = (of: (counts: CellCounts) => number): number => cells.reduce((all, one) => all + of(one), 0);
    const [newer, replaced, older] = [sum((c) => c.newer), sum((c) => c.replaced), sum((c) => c.older)];
    const kind = replaced > 0 ? 'replace' : newer === 0 ? null : older > 0 ? 'backfill' : 'import';
    if (kind === 'backfill' || kind === 'replace')
      this.refuse(kind, allowed, kind === 'replace' ? replaced : older);
    return {
      kind,
      counts: { entities: entities.told, relations: relations.told, registrants: registrants.told },
      families: ['companies', 'structure', 'search', 'changes'],
    };
  }

  async store({ id }: RecordedRevision): Promise<void> {
    if (this.sources.size === 0) return;
    const { client, delivery, bad } = this.publication;
    const { vintage, basis } = delivery;
    await storeEntities(client, vintage, id);
    await storeRelations(client, vintage, id);
    await storeRegistrants(client, vintage, id, bad.count === 0);
    await client.query(
      `INSERT INTO register_vintages (source_id, day, basis, revision_id) SELECT unnest($1::text[]), $2, $3, $4
       ON CONFLICT (source_id, day) DO UPDATE SET revision_id = excluded.revision_id`,
      [[...this.sources], vintage, basis, id],
    );
    if (this.ordinal >= ANALYZE_FROM) await client.query('SELECT analyze_register()');
  }

  private refuse(kind: 'backfill' | 'replace', allowed: Permissions, count: number): void {
    if (allowed[kind]) return;
    const { name, vintage } = this.publication.delivery;
    throw new ImportError(
      kind === 'backfill'
        ? `${name}: the vintage of ${vintage} is older than what is held of ${count} of its entities and relations. ` +
            'With --backfill it fills the past; no change is made of it.'
        : `${name}: the vintage of ${vintage} is already held, and ${count} entities and relations differ from it. ` +
            'With --replace the new file takes its place; published changes are corrected or withdrawn.',
    );
  }

  private get buffers(): CopyBuffer[] {
    return [this.entities, this.relations, this.extents, this.registrants];
  }

  private addEntity(row: EntityRow, source: string): void {
    const { codes, unnamed } = this.publication;
    const unknown = row.country !== null && codes.region(row.country) === undefined ? row.country : null;
    if (unknown !== null) unnamed.add('region', unknown);
    const country = unknown === null ? row.country : null;
    this.ordinal += 1;
    const { lei, name, language, type, jurisdiction, status, place } = row;
    const at = badRowLine({ place: { ...place, column: 'lei' }, reason: '' }).replace(/, lei: $/, '');
    const matched = entityMatchName(row);
    this.entities.add([lei, name, language, type, country, jurisdiction, status, matched, source, at]);
  }

  private addRelation({ child, parent, kind, state, since, until, from }: RelationRow, source: string): void {
    this.ordinal += 1;
    this.relations.add([child, parent, kind, state, since, until, from === 'record' ? 't' : 'f', source]);
  }

  private addExtent({ lei, side, kind, stated, from }: RelationExtent, source: string): void {
    this.extents.add([lei, side, kind, stated, from === 'record' ? 't' : 'f', source]);
  }

  private addRegistrant({ cik, name, ticker }: RegistrantRow, source: string): void {
    this.ordinal += 1;
    this.registrants.add([this.ordinal, cik, name, ticker, registrantMatchName(name), source]);
  }
}
