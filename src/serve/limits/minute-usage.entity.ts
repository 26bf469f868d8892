import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The admitted requests of an account in a minute of the last hour. */
@Index('minute_usage_minute', ['minute'])
@Entity('minute_usage')
export class MinuteUsage {
  @PrimaryColumn('text') @ForeignKey('accounts', { onDelete: 'CASCADE' }) readonly accountId!: string;
  @PrimaryColumn('timestamptz') readonly minute!: Date;
  @Column('integer') readonly admitted!: number;
}
