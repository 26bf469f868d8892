import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { Localized } from '../../../domain/locale/locale.js';

/** One day in sentences; sections and items have tables of their own. */
@Entity('briefs')
export class BriefEntity {
  @PrimaryColumn('date') readonly day!: string;
  @Column('jsonb') readonly title!: Localized;
  @Column('jsonb') readonly summary!: Localized;
  /** The day of the newest vintage that it uses, if that is later than its own day. */
  @Column('date', { nullable: true }) readonly compiledUntil!: string | null;
  @Column('integer') @ForeignKey('publications') readonly dataVersion!: number;
}
