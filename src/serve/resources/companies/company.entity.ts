import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** An active legal entity with an LEI or a CIK. Its slug is never given to another company. */
@Index('companies_country', ['country', 'foldedName', 'slug'], { where: 'listed' })
@Index('companies_data_version', ['dataVersion'], { where: 'listed' })
@Index('companies_name', ['foldedName', 'slug'], { where: 'listed' })
@Entity('companies')
export class CompanyEntity {
  @PrimaryColumn({ type: 'text', collation: 'C' }) readonly slug!: string;
  @Column('text', { unique: true })
  @ForeignKey('entities', { onDelete: 'CASCADE' })
  readonly entityId!: string;
  @Column('boolean') readonly listed!: boolean;
  @Column({ type: 'text', collation: 'C' }) readonly foldedName!: string;
  @Column('text', { nullable: true }) @ForeignKey('sources') readonly tickerSource!: string | null;
  @Column('text', { nullable: true }) @ForeignKey('regions') readonly country!: string | null;
  @Column('text', { name: 'source_id' }) @ForeignKey('sources') readonly source!: string;
  @Column('integer', { default: 0 }) readonly subsidiaries!: number;
  @Column('integer', { default: 0 }) readonly consolidated!: number;
  @Column('smallint', { default: 35 }) readonly rank!: number;
  @Column('integer', { default: 0 }) readonly changes!: number;
  /** The newest publication that changed what the list shows. */
  @Column('integer', { nullable: true }) @ForeignKey('publications') readonly dataVersion!: number | null;
}
