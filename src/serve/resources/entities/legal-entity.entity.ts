import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A legal entity as a register names it, in the register's own language. */
@Index('entities_data_version', ['dataVersion'])
@Index('entities_stated', ['statedOn'])
@Index('entities_match', ['matchName'], { where: 'match_name IS NOT NULL' })
@Entity('entities')
export class LegalEntity {
  @PrimaryColumn('text') readonly id!: string;
  @Column('text', { nullable: true, unique: true }) readonly lei!: string | null;
  @Column('integer', { nullable: true, unique: true }) readonly cik!: number | null;
  @Column('text', { nullable: true }) readonly name!: string | null;
  @Column('text', { array: true, default: '{}' }) readonly otherNames!: readonly string[];
  @Column('text', { nullable: true }) readonly nameLanguage!: string | null;
  @Column('text') readonly type!: string;
  @Column('text', { nullable: true }) @ForeignKey('regions') readonly country!: string | null;
  @Column('text') readonly status!: 'active' | 'inactive' | 'unknown';
  @Column('text', { name: 'source_id' }) @ForeignKey('sources') readonly source!: string;
  @Column('text', { nullable: true }) readonly jurisdiction!: string | null;
  @Column('text', { nullable: true }) readonly matchName!: string | null;
  @Column('date', { nullable: true }) readonly knownOn!: string | null;
  @Column('date', { nullable: true }) readonly statedOn!: string | null;
  @Column('integer', { nullable: true }) @ForeignKey('publications') readonly dataVersion!: number | null;
}
