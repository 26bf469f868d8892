import { Entity, PrimaryColumn } from 'typeorm';
import { CountedEntity } from '../coverage/coverage.entity.js';

@Entity('topics')
export class TopicEntity extends CountedEntity {
  @PrimaryColumn('text') readonly slug!: string;
}
