import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangesModule } from '../changes/changes.module.js';
import { AlertReplayService } from './alert-replay.service.js';
import { AlertsController } from './alerts.controller.js';
import { AlertsService } from './alerts.service.js';
import { AlertEntity } from '../../following/alert.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([AlertEntity]), ChangesModule],
  controllers: [AlertsController],
  providers: [AlertsService, AlertReplayService],
  exports: [AlertsService, AlertReplayService],
})
export class AlertsModule {}
