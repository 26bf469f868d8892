import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangesModule } from '../changes/changes.module.js';
import { FollowingController } from './following.controller.js';
import { FollowingService } from './following.service.js';
import { FollowEntity } from '../../following/follow.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([FollowEntity]), ChangesModule],
  controllers: [FollowingController],
  providers: [FollowingService],
  exports: [FollowingService],
})
export class FollowingModule {}
