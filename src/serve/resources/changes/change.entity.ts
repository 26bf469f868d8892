import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { MissingReason } from '../../../domain/figures/figure.schema.js';
import type { Localized } from '../../../domain/locale/locale.js';
import type { Change } from './change.schema.js';

/** How many periods were restated at once, since which one, and by how much; sizes are decimal texts. */
interface Rebasing {
  readonly periods: number;
  readonly since: string;
  readonly median: string;
  readonly medianPercent: string | null;
}

/** One verified difference. Its subject is a series or a legal entity; only changes of a series have figures. */
@Index('changes_amended', ['updatedAt'], { where: 'updated_at > published_at' })
@Index('changes_entity', ['entityId'], { where: 'entity_id IS NOT NULL' })
@Index('changes_followed', ['seriesId', 'position'], { where: "status <> 'withdrawn'" })
@Index('changes_importance', ['importance', 'position'])
@Index('changes_kind', ['kind', 'position'])
@Index('changes_occurred', ['occurredAt'])
@Index('changes_ranking', ['ranking', 'position'])
@Index('changes_released', ['seriesId', 'period'], { where: "kind = 'release'" })
@Index('changes_run', ['dataVersion', 'occurredAt', 'position'])
@Index('changes_series', ['seriesId', 'vintageDay'])
@Index('changes_series_position', ['seriesId', 'position'])
@Index('changes_status', ['status', 'position'], { where: "status <> 'verified'" })
@Index('changes_updated', ['updatedAt'])
@Entity('changes')
export class ChangeEntity {
  @PrimaryColumn('text') readonly id!: string;
  @Column('bigint', { unique: true }) readonly position!: number;
  @Column('text') readonly kind!: Change['kind'];
  @Column('text') readonly status!: 'verified' | 'corrected' | 'withdrawn';
  @Column('text') readonly evidenceClass!: Change['evidenceClass'];
  @Column('jsonb') readonly headline!: Localized;
  @Column('jsonb') readonly summary!: Localized;
  @Column('smallint') readonly importance!: number;
  @Column('timestamptz') readonly occurredAt!: Date;
  /** Importance as of any day, for the order of lists: it falls with the age of what happened. */
  /** More important changes of the same indicator and vintage, or of the same market topic and month. */
  @Column('smallint', { default: 0 }) readonly alike!: number;
  @Column({ type: 'integer', insert: false, update: false }) readonly ranking!: number;
  @Column('text') readonly occurredPrecision!: 'day' | 'instant';
  @Column('text') readonly occurredBasis!: Change['occurredBasis'];
  @Column('timestamptz') readonly publishedAt!: Date;
  @Column('timestamptz') readonly updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) readonly withdrawnAt!: Date | null;
  @Column('text', { nullable: true }) readonly withdrawalReason!: string | null;
  @Column('integer') @ForeignKey('publications') readonly dataVersion!: number;
  @Column('text', { name: 'source_id' }) @ForeignKey('sources') readonly source!: string;
  @Column('integer', { nullable: true }) @ForeignKey('series', { onDelete: 'CASCADE' }) readonly seriesId!:
    number | null;
  @Column({ type: 'text', nullable: true, collation: 'C' }) readonly period!: string | null;
  @Column('date') readonly vintageDay!: string;
  @Column('numeric', { nullable: true }) readonly actualValue!: string | null;
  @Column('numeric', { nullable: true }) readonly previousValue!: string | null;
  @Column({ type: 'text', nullable: true, collation: 'C' }) readonly previousPeriod!: string | null;
  @Column('text', { nullable: true }) readonly previousBasis!: 'period' | 'vintage' | null;
  @Column('text', { nullable: true }) readonly previousMissing!: MissingReason | null;
  @Column('date', { nullable: true }) readonly previousKnownSince!: string | null;
  @Column('date') readonly knownSince!: string;
  @Column('numeric', { nullable: true }) readonly delta!: string | null;
  @Column('numeric', { nullable: true }) readonly deltaPercent!: string | null;
  /** Of a revision that stands for all restated periods of its vintage. */
  @Column('jsonb', { nullable: true }) readonly rebasing!: Rebasing | null;
  /** Of a revision: RevisionFacts of the rule. */
  @Column('jsonb', { nullable: true }) readonly revision!: object | null;
  /** What stands out about the figure, with its sentence. */
  @Column('jsonb', { nullable: true }) readonly context!: object | null;
  @Column('text', { nullable: true }) @ForeignKey('entities', { onDelete: 'CASCADE' }) readonly entityId!:
    string | null;
}
