import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Plan } from '../plans/plans.js';

@Entity('accounts')
export class Account {
  @PrimaryColumn('text')
  id!: string;

  /** Lower case; unique. */
  @Column('text')
  email!: string;

  @Column('text')
  plan!: Plan;

  @Column('text')
  status!: 'active' | 'suspended';

  @Column('timestamptz', { name: 'signed_up_at' })
  signedUpAt!: Date;

  @Column({ type: 'timestamptz', name: 'created_at', insert: false, update: false })
  createdAt!: Date;
}
