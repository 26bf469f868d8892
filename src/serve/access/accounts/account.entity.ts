import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Locale } from '../../../domain/locale/locale.js';
import type { Plan } from '../../../domain/plans/plans.js';

@Entity('accounts')
export class Account {
  @PrimaryColumn('text') id!: string;
  /** Lower case. */
  @Column('text', { unique: true }) email!: string;
  @Column('text') plan!: Plan;
  @Column('text', { default: 'active' }) status!: 'active' | 'suspended';
  @Column('text', { default: 'en' }) locale!: Locale;
  @Column('timestamptz') signedUpAt!: Date;
  @Column({ type: 'timestamptz', default: () => 'now()', insert: false, update: false }) createdAt!: Date;
}
