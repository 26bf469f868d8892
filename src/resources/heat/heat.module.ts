import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { HeatService } from './heat.service.js';
import { HeatDayEntity } from './heat.entity.js';

/** No route of its own: other deliveries ask the service. */
@Module({
  imports: [TypeOrmModule.forFeature([HeatDayEntity])],
  providers: [HeatService],
  exports: [HeatService],
})
export class HeatModule {}
