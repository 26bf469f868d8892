import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { Localized } from '../../../domain/locale/locale.js';
import type { Signal } from './signal.schema.js';
import type { SourceLevel } from '../../../domain/sources/source.schema.js';

/** A pattern in several changes, detected by a rule. */
@Index('signals_running', ['lastSeenOn'], { where: "stage <> 'closed'" })
@Index('signals_subject', ['rule', 'subject', 'starts'])
@Unique(['id', 'rank'])
@Entity('signals')
export class SignalEntity {
  @PrimaryColumn('text') readonly id!: string;
  @Column('text') readonly rule!: Signal['rule'];
  @Column('text') readonly subject!: string;
  @Column({ type: 'text', collation: 'C' }) readonly starts!: string;
  @Column('jsonb') readonly title!: Localized;
  @Column('jsonb') readonly summary!: Localized;
  @Column('text') readonly evidenceClass!: Signal['evidenceClass'];
  @Column('integer') readonly evidenceTotal!: number;
  @Column('integer') readonly evidenceIndependent!: number;
  @Column('integer') readonly evidencePublishers!: number;
  @Column('jsonb') readonly evidenceLevels!: Partial<Record<SourceLevel, number>>;
  @Column('date') readonly firstSeenOn!: string;
  @Column('date') readonly lastSeenOn!: string;
  @Column('text') readonly stage!: Signal['status'];
  @Column('smallint') readonly currentDays!: number;
  @Column('text') readonly status!: Signal['status'];
  @Column({ type: 'integer', insert: false, update: false }) readonly rank!: number;
  @Column('integer') @ForeignKey('publications') readonly dataVersion!: number;
}
