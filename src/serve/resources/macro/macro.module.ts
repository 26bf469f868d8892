import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BoardService } from './board.service.js';
import { ChangedSeriesService } from './changed-series.service.js';
import { MacroController } from './macro.controller.js';
import { MacroService } from './macro.service.js';
import { IndicatorEntity } from './indicator.entity.js';
import { RegionEntity } from './region.entity.js';
import { SeriesEntity } from './series.entity.js';
import { SurroundingsService } from './surroundings.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([IndicatorEntity, RegionEntity, SeriesEntity])],
  controllers: [MacroController],
  providers: [MacroService, BoardService, ChangedSeriesService, SurroundingsService],
  exports: [MacroService, BoardService, SurroundingsService],
})
export class MacroModule {}
