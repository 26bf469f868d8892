import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { HeatService } from './heat.service.js';
import { HeatDayEntity } from './heat.entity.js';

/** Without a route: the MCP tool calls the service. */
@Module({ imports: [TypeOrmModule.forFeature([HeatDayEntity])], providers: [HeatService], exports: [HeatService] })
export class HeatModule {}
