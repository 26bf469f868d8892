import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SearchController } from './search.controller.js';
import { NamedPagesService } from './named-pages.service.js';
import { SearchService } from './search.service.js';
import { SearchDocumentEntity } from './search.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([SearchDocumentEntity])],
  controllers: [SearchController],
  providers: [NamedPagesService, SearchService],
  exports: [NamedPagesService, SearchService],
})
export class SearchModule {}
