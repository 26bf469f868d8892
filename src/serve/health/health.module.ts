import { Global, Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Heartbeat } from '../../store/heartbeat.js';
import { Draining } from './draining.js';
import { LIMITS_STATE, Readiness, type LimitsState } from './readiness.js';

/** Whether this instance lives, and whether a load balancer should send it requests. */
@Global()
@Module({
  providers: [
    Draining,
    {
      provide: Readiness,
      inject: [DataSource, Heartbeat, LIMITS_STATE, Draining],
      useFactory: (database: DataSource, heartbeat: Heartbeat, limits: LimitsState, draining: Draining) =>
        new Readiness({ database, heartbeat, limits, draining }),
    },
  ],
  exports: [Draining, Readiness],
})
export class HealthModule implements OnModuleInit, OnModuleDestroy {
  constructor(private readonly readiness: Readiness) {}

  onModuleInit(): Promise<void> {
    return this.readiness.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.readiness.stop();
  }
}
