import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The number and importance of the important changes of one economy, domain and day. The domain '' is the sum of all domains. */
@Index('heat_days_day', ['day'])
@Entity('heat_days')
export class HeatDayEntity {
  @PrimaryColumn('text') @ForeignKey('regions') readonly region!: string;
  @PrimaryColumn('text') readonly coverage!: string;
  @PrimaryColumn('date') readonly day!: string;
  @Column('integer') readonly importance!: number;
  @Column('integer') readonly changes!: number;
  /** Whether some were dated by when we retrieved them, as those of a vintage of many series are. */
  @Column('boolean') readonly retrieved!: boolean;
  @Column('bigint', { array: true }) readonly top!: readonly number[];
  @Column('integer') @ForeignKey('publications') readonly dataVersion!: number;
}
