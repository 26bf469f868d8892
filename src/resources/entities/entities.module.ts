import { Module } from '@nestjs/common';
import { EntitiesController } from './entities.controller.js';
import { EntitiesService } from './entities.service.js';

@Module({ controllers: [EntitiesController], providers: [EntitiesService] })
export class EntitiesModule {}
