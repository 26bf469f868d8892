import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One transaction that made content visible; its number is the data version. */
@Entity('publications')
@Index('publications_moments', ['publishedAt', 'beganAt'])
export class PublicationEntity {
  @PrimaryColumn('integer') readonly dataVersion!: number;
  /** What the rows of the version carry. */
  @Column('timestamptz', { default: () => 'now()' }) readonly beganAt!: Date;
  /** When the version became visible. */
  @Column('timestamptz') readonly publishedAt!: Date;
  @Column('text') readonly kind!: string;
  @Column('text') readonly description!: string;
  @Column('date', { nullable: true }) readonly vintageDay!: string | null;
  @Column('jsonb', { default: () => "'{}'" }) readonly counts!: Readonly<Record<string, unknown>>;
  /** What rendered all texts that are stored now; null: several versions, or unknown. */
  @Column('text', { nullable: true }) readonly renderedBy!: string | null;
}
