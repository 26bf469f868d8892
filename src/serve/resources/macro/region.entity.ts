import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Localized } from '../../../domain/locale/locale.js';

/** An economy, or an aggregate of several. */
@Entity('regions')
export class RegionEntity {
  @PrimaryColumn('text') readonly code!: string;
  @Column('text', { nullable: true, unique: true }) readonly alpha3!: string | null;
  @Column('text') readonly kind!: 'country' | 'aggregate';
  @Column('jsonb') readonly name!: Localized;
  @Column('text', { nullable: true }) readonly currency!: string | null;
  @Column('smallint') readonly weight!: number;
  @Column('smallint', { nullable: true }) readonly boardOrder!: number | null;
}
