import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module.js';
import { SignalsController } from './signals.controller.js';
import { SignalsService } from './signals.service.js';

@Module({
  imports: [ChangesModule],
  controllers: [SignalsController],
  providers: [SignalsService],
  exports: [SignalsService],
})
export class SignalsModule {}
