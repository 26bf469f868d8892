import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MarketsController } from './markets.controller.js';
import { MarketsService } from './markets.service.js';
import { InstrumentEntity } from './instrument.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([InstrumentEntity])],
  controllers: [MarketsController],
  providers: [MarketsService],
  exports: [MarketsService],
})
export class MarketsModule {}
