import type { Localized } from '../../domain/locale/locale.js';
import type { SourceLevel } from '../../domain/sources/source.schema.js';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A product of a publisher, with what its licence demands. */
@Entity('sources')
export class SourceEntity {
  @PrimaryColumn('text') readonly id!: string;
  @Column('jsonb') readonly name!: Localized;
  @Column('jsonb') readonly publisher!: Localized;
  @Column('text') readonly url!: string;
  @Column('text') readonly level!: SourceLevel;
  @Column('text') readonly licence!: string;
  @Column('jsonb') readonly attribution!: Localized;
  @Column('jsonb', { nullable: true }) readonly notice!: Localized | null;
  /** Republishes what others make: a sentence credits the first origin of its series. */
  @Column('boolean', { default: false }) readonly portal!: boolean;
  /** Estimates of a model: a sentence credits their maker where another publishes them. */
  @Column('boolean', { default: false }) readonly modelled!: boolean;
  @Column('boolean', { default: false }) readonly withheld!: boolean;
  @Column('date', { nullable: true }) readonly retrievedOn!: string | null;
}

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
