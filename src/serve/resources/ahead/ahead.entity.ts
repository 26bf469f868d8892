import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { CalendarEvent } from './ahead.schema.js';

/** A scheduled publication: who publishes what and when, without figures. */
@Index('calendar_events_region', ['region', 'scheduledOn', 'orderAt', 'id'])
@Index('calendar_events_time', ['scheduledOn', 'orderAt', 'id'])
@Unique(['indicator', 'region', 'period', 'estimate'])
@Entity('calendar_events')
export class CalendarEventEntity {
  @PrimaryColumn({ type: 'text', collation: 'C' }) readonly id!: string;
  @Column('text') @ForeignKey('indicators') readonly indicator!: string;
  @Column('text') @ForeignKey('regions') readonly region!: string;
  @Column({ type: 'text', collation: 'C' }) readonly period!: string;
  @Column({ type: 'text', collation: 'C' }) readonly previousPeriod!: string;
  @Column('smallint', { nullable: true }) readonly estimate!: number | null;
  @Column('date') readonly scheduledOn!: string;
  @Column('text') readonly timeZone!: string;
  @Column('timestamptz', { nullable: true }) readonly scheduledAt!: Date | null;
  @Column({ type: 'timestamptz', insert: false, update: false }) readonly orderAt!: Date;
  @Column('text') readonly status!: 'scheduled' | 'postponed' | 'cancelled';
  @Column('text') readonly importance!: CalendarEvent['importance'];
  @Column('text', { name: 'source_id' }) @ForeignKey('sources') readonly source!: string;
  @Column('text', { nullable: true }) readonly sourceUrl!: string | null;
  @Column('boolean') readonly withheld!: boolean;
  @Column('date') readonly vintageDay!: string;
  @Column('integer') @ForeignKey('publications') readonly dataVersion!: number;
}
