import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangesController } from './changes.controller.js';
import { ChangeDocuments } from './change-documents.service.js';
import { ChangesService } from './changes.service.js';
import { ChangeDocumentEntity } from './change-document.entity.js';
import { ChangeEntity } from './change.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([ChangeEntity, ChangeDocumentEntity])],
  controllers: [ChangesController],
  providers: [ChangesService, ChangeDocuments],
  exports: [ChangesService],
})
export class ChangesModule {}
