import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module.js';
import { CoverageController } from './coverage.controller.js';
import { CoverageService } from './coverage.service.js';

@Module({ imports: [ChangesModule], controllers: [CoverageController], providers: [CoverageService] })
export class CoverageModule {}
