import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AlertMetric } from './alert-metrics.js';
import type { TargetType } from './targets.js';

/** A condition that an account sets on a target. */
@Index('alerts_account', ['accountId', 'position'])
@Index('alerts_target', ['type', 'key'])
@Entity('alerts')
export class AlertEntity {
  @PrimaryColumn('text') readonly id!: string;
  @Column('bigint', { unique: true }) readonly position!: number;
  @Column('text') @ForeignKey('accounts', { onDelete: 'CASCADE' }) readonly accountId!: string;
  @Column('text') readonly name!: string;
  @Column('text', { name: 'target_type' }) readonly type!: TargetType;
  @Column('text', { name: 'target_key' }) readonly key!: string;
  @Column('text') readonly metric!: AlertMetric;
  @Column('numeric', { nullable: true }) readonly threshold!: string | null;
  @Column('text', { default: 'armed' }) readonly state!: 'armed' | 'triggered' | 'paused';
  @Column('timestamptz') readonly createdAt!: Date;
  @Column({ type: 'text', nullable: true, collation: 'C' }) readonly evaluatedPeriod!: string | null;
  @Column('boolean', { nullable: true }) readonly met!: boolean | null;
}
