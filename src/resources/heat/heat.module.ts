import { Module } from '@nestjs/common';
import { HeatService } from './heat.service.js';

/** No route of its own: other deliveries ask the service. */
@Module({ providers: [HeatService], exports: [HeatService] })
export class HeatModule {}
