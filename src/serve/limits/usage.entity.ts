import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The admitted requests of an account on a UTC day. */
@Entity('daily_usage')
export class DailyUsage {
  @PrimaryColumn('text') @ForeignKey('accounts', { onDelete: 'CASCADE' }) readonly accountId!: string;
  @PrimaryColumn('date') readonly day!: string;
  @Column('integer') readonly admitted!: number;
}

/** The admitted requests of an account in a minute of the last day. */
@Index('minute_usage_minute', ['minute'])
@Entity('minute_usage')
export class MinuteUsage {
  @PrimaryColumn('text') @ForeignKey('accounts', { onDelete: 'CASCADE' }) readonly accountId!: string;
  @PrimaryColumn('timestamptz') readonly minute!: Date;
  @Column('integer') readonly admitted!: number;
}

/** A request of an account that was refused; without its query, which may contain anything. Equal ones stand once. */
export interface RefusedRequest {
  /** ISO 8601, of the newest. */
  readonly at: string;
  readonly times: number;
  readonly method: string;
  readonly path: string;
  /** Of a tool that refused its arguments: 200. */
  readonly status: number;
  /** Of the error table. */
  readonly code: string;
  /** The parameters that were wrong. */
  readonly parameters: readonly string[];
}

/** The newest refused requests of an account, newest first. */
@Entity('refused_requests')
export class RefusedRequests {
  @PrimaryColumn('text') @ForeignKey('accounts', { onDelete: 'CASCADE' }) readonly accountId!: string;
  @Column('timestamptz') readonly newest!: Date;
  @Column('jsonb') readonly requests!: readonly RefusedRequest[];
}

/** When and by which client a key was last used. */
@Entity('key_usage')
export class KeyUsage {
  @PrimaryColumn('text') @ForeignKey('api_keys', { onDelete: 'CASCADE' }) readonly keyId!: string;
  @Column('timestamptz') readonly lastUsedAt!: Date;
  /** The request's `User-Agent` on one line; empty if it had none. */
  @Column('text') readonly client!: string;
}
