import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module.js';
import { FollowingController } from './following.controller.js';
import { FollowingService } from './following.service.js';

@Module({ imports: [ChangesModule], controllers: [FollowingController], providers: [FollowingService] })
export class FollowingModule {}
