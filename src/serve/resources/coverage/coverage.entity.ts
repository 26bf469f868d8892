import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { Localized } from '../../../domain/locale/locale.js';

/** The publishing transaction writes the counts, as of the newest data day. */
export abstract class CountedEntity {
  @Column('jsonb') readonly name!: Localized;
  @Column('jsonb') readonly description!: Localized;
  @Column('smallint') readonly ordinal!: number;
  @Column('integer', { name: 'changes_7', default: 0 }) readonly days7!: number;
  @Column('integer', { name: 'changes_30', default: 0 }) readonly days30!: number;
  @Column('integer', { name: 'changes_total', default: 0 }) readonly total!: number;
  @Column('timestamptz', { nullable: true }) readonly latestChangeAt!: Date | null;
  /** The newest publication that changed the counts. */
  @Column('integer', { nullable: true }) @ForeignKey('publications') readonly dataVersion!: number | null;
}

@Entity('coverage_domains')
export class CoverageDomainEntity extends CountedEntity {
  @PrimaryColumn('text') readonly key!: string;
}
