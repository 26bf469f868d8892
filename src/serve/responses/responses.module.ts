import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Peppers } from '../access/keys/peppers.js';
import { ConsistentReader } from './consistent-reader.service.js';
import { Cursors } from './cursors.service.js';
import { UrlBuilder } from './url-builder.service.js';
import { PublicationEntity, SourceEntity } from '../../store/sources/source.entity.js';

const PROVIDERS = [
  ConsistentReader,
  UrlBuilder,
  { provide: Cursors, inject: [Peppers], useFactory: (peppers: Peppers) => new Cursors(peppers.derive('cursor')) },
];

/** Reads, cursors and URLs that every transport uses. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([SourceEntity, PublicationEntity])],
  providers: PROVIDERS,
  exports: [ConsistentReader, UrlBuilder, Cursors],
})
export class ResponsesModule {}
