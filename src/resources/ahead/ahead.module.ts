import { Module } from '@nestjs/common';
import { AheadController } from './ahead.controller.js';
import { AheadService } from './ahead.service.js';

@Module({ controllers: [AheadController], providers: [AheadService], exports: [AheadService] })
export class AheadModule {}
