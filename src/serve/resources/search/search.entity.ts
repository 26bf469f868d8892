import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/** The words of one subject in one version; older versions stay for paging that began with them. */
@Index('search_documents_closed', ['closedAt'], { where: 'until IS NOT NULL' })
@Index('search_documents_open', ['type', 'key'], { unique: true, where: 'until IS NULL' })
@Index('search_documents_words', ['words'], { type: 'gin' })
@Entity('search_documents')
export class SearchDocumentEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' }) readonly id!: number;
  @Column({ type: 'text', collation: 'C' }) readonly type!: string;
  @Column({ type: 'text', collation: 'C' }) readonly key!: string;
  @Column('smallint') readonly rank!: number;
  @Column('integer') readonly partition!: number;
  @Column('tsvector') readonly words!: string;
  @Column('integer') @ForeignKey('publications') readonly since!: number;
  @Column('integer', { nullable: true }) @ForeignKey('publications') readonly until!: number | null;
  @Column('timestamptz', { nullable: true }) readonly closedAt!: Date | null;
}
