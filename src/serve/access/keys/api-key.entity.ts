import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

@Index('api_keys_account', ['accountId'])
@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn('text') id!: string;
  @Column('text') @ForeignKey('accounts', { onDelete: 'CASCADE' }) accountId!: string;
  @Column('text') name!: string;
  @Column('bytea', { unique: true, select: false }) hash!: Buffer;
  @Column('text') pepperId!: string;
  /** The key that this one replaced by rotation. */
  @Column('text', { nullable: true, unique: true })
  @ForeignKey('api_keys', { onDelete: 'SET NULL' })
  replaces!: string | null;
  /** The key's first eight characters, to tell keys apart in lists. */
  @Column('text') prefix!: string;
  @Column({ type: 'timestamptz', default: () => 'now()', insert: false, update: false }) createdAt!: Date;
  @Column('timestamptz', { nullable: true }) revokedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  /** Of a file link: the address of the one page whose table it opens. Null: a key of the API. */
  @Column('text', { nullable: true }) reads!: string | null;
}
