import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EntitiesController } from './entities.controller.js';
import { EntitiesService } from './entities.service.js';
import { LegalEntity } from './legal-entity.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([LegalEntity])],
  controllers: [EntitiesController],
  providers: [EntitiesService],
})
export class EntitiesModule {}
