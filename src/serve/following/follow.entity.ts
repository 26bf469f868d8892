import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import type { TargetType } from './targets.js';

/** A target that an account follows. The target may be withheld or go, so no foreign key refers to it. */
@Unique(['accountId', 'type', 'key'])
@Entity('follows')
export class FollowEntity {
  @PrimaryColumn('text') readonly id!: string;
  @Column('text') @ForeignKey('accounts', { onDelete: 'CASCADE' }) readonly accountId!: string;
  @Column('text', { name: 'target_type' }) readonly type!: TargetType;
  @Column('text', { name: 'target_key' }) readonly key!: string;
  @Column('timestamptz') readonly since!: Date;
}
