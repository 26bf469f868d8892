import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangesModule } from '../changes/changes.module.js';
import { CoverageController } from './coverage.controller.js';
import { CoverageService } from './coverage.service.js';
import { CoverageDomainEntity } from './coverage.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([CoverageDomainEntity]), ChangesModule],
  controllers: [CoverageController],
  providers: [CoverageService],
  exports: [CoverageService],
})
export class CoverageModule {}
