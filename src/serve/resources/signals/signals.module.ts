import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangesModule } from '../changes/changes.module.js';
import { SignalsController } from './signals.controller.js';
import { SignalsService } from './signals.service.js';
import { SignalEntity } from './signal.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([SignalEntity]), ChangesModule],
  controllers: [SignalsController],
  providers: [SignalsService],
  exports: [SignalsService],
})
export class SignalsModule {}
