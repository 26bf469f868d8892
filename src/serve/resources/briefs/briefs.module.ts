import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BriefsController } from './briefs.controller.js';
import { BriefsService } from './briefs.service.js';
import { BriefEntity } from './brief.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([BriefEntity])],
  controllers: [BriefsController],
  providers: [BriefsService],
  exports: [BriefsService],
})
export class BriefsModule {}
