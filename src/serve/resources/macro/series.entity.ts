import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** One indicator in one region, or one instrument. */
@Index('series_region', ['region'])
@Unique(['id', 'source', 'withheld'])
@Unique(['indicator', 'region'])
@Entity('series')
export class SeriesEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' }) readonly id!: number;
  @Column('text', { nullable: true }) @ForeignKey('indicators') readonly indicator!: string | null;
  @Column('text', { nullable: true }) @ForeignKey('regions') readonly region!: string | null;
  @Column('text', { name: 'source_id' }) @ForeignKey('sources') readonly source!: string;
  @Column('text', { array: true, default: () => "'{}'" }) readonly origins!: readonly string[];
  @Column('boolean') readonly withheld!: boolean;
  @Column('date') readonly baselineDay!: string;
  @Column('text', { nullable: true, unique: true }) @ForeignKey('instruments') readonly instrument!: string | null;
  @Column({ type: 'text', nullable: true, collation: 'C' }) readonly oldestPeriod!: string | null;
  @Column({ type: 'text', nullable: true, collation: 'C' }) readonly newestPeriod!: string | null;
}
