import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangesModule } from '../changes/changes.module.js';
import { SignalsModule } from '../signals/signals.module.js';
import { TopicsController } from './topics.controller.js';
import { TopicsService } from './topics.service.js';
import { TopicEntity } from './topic.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([TopicEntity]), ChangesModule, SignalsModule],
  controllers: [TopicsController],
  providers: [TopicsService],
  exports: [TopicsService],
})
export class TopicsModule {}
