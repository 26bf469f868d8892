import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Localized } from '../../domain/locale/locale.js';
import type { SourceLevel } from '../../domain/sources/source.schema.js';

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
