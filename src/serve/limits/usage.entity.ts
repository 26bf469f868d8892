import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The admitted requests of an account on a UTC day. */
@Entity('daily_usage')
export class DailyUsage {
  @PrimaryColumn('text') @ForeignKey('accounts', { onDelete: 'CASCADE' }) readonly accountId!: string;
  @PrimaryColumn('date') readonly day!: string;
  @Column('integer') readonly admitted!: number;
}

/** The admitted requests of an account in a minute of the last day. */
@Index('minute_usage_minute', ['minute'])
@Entity('minute_usage')
export class MinuteUsage {
  @PrimaryColumn('text') @ForeignKey('accounts', { onDelete: 'CASCADE' }) readonly accountId!: string;
  @PrimaryColumn('timestamptz') readonly minute!: Date;
  @Column('integer') readonly admitted!: number;
}

/** When and by which client a key was last used. */
@Entity('key_usage')
export class KeyUsage {
  @PrimaryColumn('text') @ForeignKey('api_keys', { onDelete: 'CASCADE' }) readonly keyId!: string;
  @Column('timestamptz') readonly lastUsedAt!: Date;
  /** The request's `User-Agent` on one line; empty if it had none. */
  @Column('text') readonly client!: string;
}
