import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import type { Timetable } from '../../../domain/figures/timetable.js';
import type { UnitCode } from '../../../domain/figures/units.js';
import type { Localized } from '../../../domain/locale/locale.js';
import type { InstrumentKind, Timeframe } from './market.schema.js';

/** What is quoted. */
@Unique(['provider', 'providerCode'])
@Entity('instruments')
export class InstrumentEntity {
  @PrimaryColumn('text') readonly key!: string;
  @Column('text') readonly provider!: string;
  @Column('text') readonly providerCode!: string;
  @Column('text', { nullable: true }) readonly seriesUrl!: string | null;
  @Column('jsonb') readonly timetable!: Timetable;
  @Column('text') readonly kind!: InstrumentKind;
  @Column('text') readonly unit!: UnitCode;
  @Column('text', { nullable: true }) readonly currency!: string | null;
  @Column('text') readonly nativeTimeframe!: Timeframe;
  @Column('boolean') readonly average!: boolean;
  @Column('boolean') readonly discontinued!: boolean;
  @Column('jsonb') readonly name!: Localized;
  /** Of a maturity: its yield curve, and its own name in it. */
  @Column('jsonb', { nullable: true }) readonly curve!: { readonly name: Localized; readonly tenor: Localized } | null;
  @Column('jsonb') readonly description!: Localized;
  @Column('smallint') readonly attention!: number;
  @Column('text', { name: 'source_id' }) @ForeignKey('sources') readonly source!: string;
  @Column('smallint') readonly ordinal!: number;
}
