import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module.js';
import { SignalsModule } from '../signals/signals.module.js';
import { TopicsController } from './topics.controller.js';
import { TopicsService } from './topics.service.js';

@Module({
  imports: [ChangesModule, SignalsModule],
  controllers: [TopicsController],
  providers: [TopicsService],
})
export class TopicsModule {}
