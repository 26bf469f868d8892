import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import type { Frequency } from '../../../domain/figures/periods.js';
import type { Timetable } from '../../../domain/figures/timetable.js';
import type { UnitCode } from '../../../domain/figures/units.js';
import type { Wording } from '../../../domain/figures/wording.js';
import type { Localized } from '../../../domain/locale/locale.js';

/** What is measured. */
@Unique(['provider', 'providerCode'])
@Entity('indicators')
export class IndicatorEntity {
  @PrimaryColumn('text') readonly slug!: string;
  @Column('text') readonly provider!: string;
  @Column('text') readonly providerCode!: string;
  @Column('text', { nullable: true }) readonly seriesUrl!: string | null;
  @Column('jsonb') readonly timetable!: Timetable;
  @Column('text') readonly unit!: UnitCode;
  @Column('text') readonly frequency!: Frequency;
  @Column('text', { nullable: true }) readonly seasonalAdjustment!: string | null;
  @Column('text', { nullable: true }) readonly priceBasis!: string | null;
  @Column('smallint', { nullable: true }) readonly baseYear!: number | null;
  @Column('jsonb') readonly name!: Localized;
  @Column('jsonb') readonly shortName!: Localized;
  @Column('jsonb') readonly description!: Localized;
  @Column('smallint') readonly attention!: number;
  @Column('jsonb') readonly wording!: Wording;
  @Column('text', { name: 'source_id' }) @ForeignKey('sources') readonly source!: string;
  @Column('boolean') readonly onBoard!: boolean;
  @Column('smallint') readonly ordinal!: number;
  @Column('boolean', { default: false }) readonly decision!: boolean;
}
