import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { LOCALES } from '../../../domain/locale/locale.js';

/** A change as responses show it, with a column of JSON for each language, without its id and links. */
@Entity('change_documents')
export class ChangeDocumentEntity {
  @PrimaryColumn('bigint')
  @ForeignKey('changes', 'position', { onDelete: 'CASCADE' })
  readonly position!: number;
  /** What the documents cite: sources, the series with a page of its own, and periods of figures. */
  @Column('text', { array: true }) readonly sources!: readonly string[];
  @Column('text', { nullable: true }) readonly subject!: string | null;
  @Column('text', { array: true }) readonly periods!: readonly string[];
}
for (const locale of LOCALES) Column('text')(ChangeDocumentEntity.prototype, locale);
