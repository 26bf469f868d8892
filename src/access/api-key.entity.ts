import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Account } from './account.entity.js';

@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn('text')
  id!: string;

  @Column('text', { name: 'account_id' })
  accountId!: string;

  @ManyToOne(() => Account)
  @JoinColumn({ name: 'account_id' })
  account?: Account;

  @Column('text')
  name!: string;

  @Column({ type: 'bytea', select: false })
  hash!: Buffer;

  @Column('text', { name: 'pepper_id' })
  pepperId!: string;

  /** The key's first eight characters, to tell keys apart in lists. */
  @Column('text')
  prefix!: string;

  @Column({ type: 'timestamptz', name: 'created_at', insert: false, update: false })
  createdAt!: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}
