import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CLOCK, type Clock } from '../config/clock.js';
import { Heartbeat } from '../database/heartbeat.js';
import { poolOf, singleReads } from '../database/snapshots.js';
import { Account } from './account.entity.js';
import { ApiKey } from './api-key.entity.js';
import { KeyVerifier } from './key-verifier.js';
import { Peppers } from './peppers.js';

/** Accounts, their keys, and the verification of a key. */
@Global()
@Module({
  // Entities of other modules refer to these; only commands, which use another role, read them through TypeORM.
  imports: [TypeOrmModule.forFeature([Account, ApiKey])],
  providers: [
    {
      provide: KeyVerifier,
      inject: [DataSource, Heartbeat, Peppers, CLOCK],
      useFactory: (database: DataSource, heartbeat: Heartbeat, peppers: Peppers, clock: Clock) =>
        new KeyVerifier(singleReads(poolOf(database)), heartbeat, peppers, clock),
    },
  ],
  exports: [KeyVerifier],
})
export class AccessModule {}
