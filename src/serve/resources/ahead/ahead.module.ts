import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AheadController } from './ahead.controller.js';
import { AheadService } from './ahead.service.js';
import { CalendarEventEntity } from './ahead.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([CalendarEventEntity])],
  controllers: [AheadController],
  providers: [AheadService],
  exports: [AheadService],
})
export class AheadModule {}
