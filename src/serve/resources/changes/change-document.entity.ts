import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A change as responses show it in each language, as JSON without its id and links. */
@Entity('change_documents')
export class ChangeDocumentEntity {
  @PrimaryColumn('bigint')
  @ForeignKey('changes', 'position', { onDelete: 'CASCADE' })
  readonly position!: number;
  @Column('text') readonly en!: string;
  @Column('text') readonly zh!: string;
  @Column('text') readonly ja!: string;
  /** What the documents cite: sources, the series with a page of its own, and periods of figures. */
  @Column('text', { array: true }) readonly sources!: readonly string[];
  @Column('text', { nullable: true }) readonly subject!: string | null;
  @Column('text', { array: true }) readonly periods!: readonly string[];
}
