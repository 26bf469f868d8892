import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The admitted requests of an account on a UTC day. */
@Entity('daily_usage')
export class DailyUsage {
  @PrimaryColumn('text') @ForeignKey('accounts', { onDelete: 'CASCADE' }) readonly accountId!: string;
  @PrimaryColumn('date') readonly day!: string;
  @Column('integer') readonly admitted!: number;
}
