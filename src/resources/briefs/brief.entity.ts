import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { Localized } from '../../locale/locale.js';

/** One day in sentences; sections and items have tables of their own. */
@Entity('briefs')
export class BriefEntity {
  @PrimaryColumn('date') readonly day!: string;
  @Column('jsonb') readonly title!: Localized;
  @Column('jsonb') readonly summary!: Localized;
  @Column('integer') @ForeignKey('publications') readonly dataVersion!: number;
}
