import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** When and by which client a key was last used. */
@Entity('key_usage')
export class KeyUsage {
  @PrimaryColumn('text') @ForeignKey('api_keys', { onDelete: 'CASCADE' }) readonly keyId!: string;
  @Column('timestamptz') readonly lastUsedAt!: Date;
  /** The request's `User-Agent` on one line; empty if it had none. */
  @Column('text') readonly client!: string;
}
