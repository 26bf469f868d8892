import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Localized } from '../../locale/locale.js';

/** Counts are as of the newest data day: the publishing transaction writes them. */
@Entity('topics')
export class TopicEntity {
  @PrimaryColumn('text') readonly slug!: string;
  @Column('jsonb') readonly name!: Localized;
  @Column('jsonb') readonly description!: Localized;
  @Column('smallint') readonly ordinal!: number;
  @Column('integer', { name: 'changes_7', default: 0 }) readonly days7!: number;
  @Column('integer', { name: 'changes_30', default: 0 }) readonly days30!: number;
  @Column('integer', { name: 'changes_total', default: 0 }) readonly total!: number;
  @Column('timestamptz', { nullable: true }) readonly latestChangeAt!: Date | null;
}
