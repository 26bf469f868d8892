import { Module } from '@nestjs/common';
import { BriefsController } from './briefs.controller.js';
import { BriefsService } from './briefs.service.js';

@Module({ controllers: [BriefsController], providers: [BriefsService], exports: [BriefsService] })
export class BriefsModule {}
