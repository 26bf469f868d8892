// Stages, compares and stores legal entities, their relations, and registrants.
import type { Finding } from '../../publication/finding.js';
import { auditRegister } from '../../audit/register-checks.js';
import { ImportError, type Batch } from '../../batches/importer.js';
import type { EntityRow, RegistrantRow, RelationExtent, RelationRow } from '../../batches/register-rows.js';
import type { Family } from '../../../domain/sources/families.js';
import type { Publication } from '../../publication/record-publication.js';
import { badRowLine } from '../../publication/bad-rows.js';
import { CopyBuffer } from '../../publication/copy-buffer.js';
import type { ContentHandler, ContentEvaluation, OpenContentHandler, Permissions } from '../content-handler.js';
import type { PublishContext } from '../../publication/publish-context.js';
import { compareEntities, findContradiction, storeEntities, type ComparisonCounts } from './entities.js';
import { entityMatchName, registrantMatchName } from './match-name.js';
import { countUnstated, replaceableSources, revertDay } from './revert-day.js';
import { compareRegistrants, storeRegistrants } from './registrants.js';
import { compareRelations, findChanged, planRelationActions, storeRelations } from './relations.js';
import { createRegisterStaging, createDistinctTables, takeOutEntities } from './staging-tables.js';

const NOTHING: ContentEvaluation = { kind: null, counts: {} };
/** From this many rows on, the planner gets new statistics at once. */
const ANALYZE_FROM = 10_000;

export const openRegisterHandler: OpenContentHandler = (context) => Promise.resolve(new RegisterHandler(context));

class RegisterHandler implements ContentHandler {
  private sources = new Set<string>();
  /** The delivery is the whole of a day that is stored already. */
  private replaces = false;
  private isPrepared = false;
  private ordinal = 0;
  private readonly entities: CopyBuffer;
  private readonly relations: CopyBuffer;
  private readonly extents: CopyBuffer;
  private readonly registrants: CopyBuffer;

  constructor(private readonly context: PublishContext) {
    const { client } = context;
    this.entities = new CopyBuffer(client, 'staged_entities');
    this.relations = new CopyBuffer(client, 'staged_relations');
    this.extents = new CopyBuffer(client, 'staged_extents');
    this.registrants = new CopyBuffer(client, 'staged_registrants');
  }

  async take(batch: Batch): Promise<void> {
    if (!('source' in batch)) return;
    if (this.sources.size === 0) await createRegisterStaging(this.context.client);
    this.sources.add(batch.source);
    if (batch.kind === 'entities') for (const row of batch.rows) this.addEntity(row, batch.source);
    else if (batch.kind === 'relations') for (const row of batch.rows) this.addRelation(row, batch.source);
    else if (batch.kind === 'registrants') for (const row of batch.rows) this.addRegistrant(row, batch.source);
    else for (const extent of batch.rows) this.addExtent(extent, batch.source);
    // A connection copies to one table at a time.
    for (const buffer of this.buffers) await buffer.flush();
  }

  async compare(allowed: Permissions): Promise<ContentEvaluation> {
    if (this.sources.size === 0) return NOTHING;
    const { client, delivery, bad } = this.context;
    const contradiction = await findContradiction(client);
    if (contradiction !== null) {
      throw new ImportError(`${delivery.name} describes one legal entity in two ways: ${contradiction}`);
    }
    if (!this.isPrepared) await createDistinctTables(client);
    this.isPrepared = true;
    await takeOutEntities(client);
    const closes = bad.count === 0;
    await planRelationActions(client, delivery.vintage, closes);
    const entities = await compareEntities(client, delivery.vintage);
    const relations = await compareRelations(client, delivery.vintage);
    const registrants = await compareRegistrants(client, delivery.vintage, closes);
    const cells = [entities, relations, registrants];
    const sum = (of: (counts: ComparisonCounts) => number): number => cells.reduce((all, one) => all + of(one), 0);
    const older = sum((c) => c.older);
    const replaced =
      sum((c) => c.replaced) + (allowed.replace ? await countUnstated(client, delivery.vintage, this.sources) : 0);
    const newer = sum((c) => c.newer);
    const kind = replaced > 0 ? 'replace' : newer === 0 ? null : older > 0 ? 'backfill' : 'import';
    if (kind === 'backfill' || kind === 'replace') this.refuse(kind, allowed, kind === 'replace' ? replaced : older);
    this.replaces = kind === 'replace';
    return { kind, counts: { entities: entities.rows, relations: relations.rows, registrants: registrants.rows } };
  }

  async audit(): Promise<Finding[]> {
    if (this.sources.size === 0) return [];
    return auditRegister(this.context.client, this.context.delivery.vintage, this.replaces);
  }

  async store({ dataVersion }: Publication): Promise<readonly Family[]> {
    if (this.sources.size === 0) return [];
    const { client, delivery, bad } = this.context;
    const { vintage, basis } = delivery;
    if (this.replaces) await this.revert(dataVersion);
    await storeEntities(client, vintage, dataVersion);
    await storeRelations(client, vintage, dataVersion);
    await storeRegistrants(client, vintage, dataVersion, bad.count === 0);
    const changed = this.replaces || (await findChanged(client, vintage, dataVersion));
    await client.query(
      `INSERT INTO register_vintages AS v (source_id, day, basis, data_version, changed)
       SELECT unnest($1::text[]), $2, $3, $4, $5
       ON CONFLICT (source_id, day) DO UPDATE
         SET data_version = excluded.data_version, changed = v.changed OR excluded.changed`,
      [[...this.sources], vintage, basis, dataVersion, changed],
    );
    if (this.ordinal >= ANALYZE_FROM) await client.query('SELECT analyze_register()');
    return changed ? ['companies', 'structure', 'search', 'changes'] : [];
  }

  private async revert(dataVersion: number): Promise<void> {
    const { client, delivery, bad } = this.context;
    const sources = await replaceableSources(client, delivery.vintage, this.sources);
    if (sources.length === 0) return;
    await revertDay(client, delivery.vintage, sources, dataVersion);
    await planRelationActions(client, delivery.vintage, bad.count === 0);
  }

  private refuse(kind: 'backfill' | 'replace', allowed: Permissions, count: number): void {
    if (allowed[kind]) return;
    const { name, vintage } = this.context.delivery;
    throw new ImportError(
      kind === 'backfill'
        ? `${name}: the vintage of ${vintage} is older than the stored one for ${count} of its entities and relations. ` +
            'With --backfill it completes the history and makes no changes.'
        : `${name}: the vintage of ${vintage} is already stored, and ${count} entities and relations differ from it. ` +
            'With --replace the new file replaces it; published changes are corrected or withdrawn.',
    );
  }

  private get buffers(): CopyBuffer[] {
    return [this.entities, this.relations, this.extents, this.registrants];
  }

  private addEntity(row: EntityRow, source: string): void {
    const { codes, unmapped } = this.context;
    const unknown = row.country !== null && codes.region(row.country) === undefined ? row.country : null;
    if (unknown !== null) unmapped.add('region', unknown);
    const country = unknown === null ? row.country : null;
    this.ordinal += 1;
    const { lei, name, otherNames, language, type, jurisdiction, status, place } = row;
    const at = badRowLine({ place: { ...place, column: 'lei' }, reason: '' }).replace(/, lei: $/, '');
    const matched = entityMatchName(row);
    const others = JSON.stringify(otherNames);
    this.entities.add([lei, name, others, language, type, country, jurisdiction, status, matched, source, at]);
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
