import { Controller, Get, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../serve/access/keys/public.decorator.js';
import { ApiError } from '../../domain/errors/api-error.js';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { ResponseWriter, type EncodedResponse } from '../../serve/http/response/response-writer.service.js';
import { SiteFiles } from './site-files.js';

/** Serves the stylesheet and the icon, read once at the start. */
@Public()
@ApiExcludeController()
@Controller()
export class SiteFilesController {
  constructor(
    private readonly files: SiteFiles,
    private readonly writer: ResponseWriter,
  ) {}

  @Get(['assets/:file', 'favicon.ico'])
  show(@Req() request: ApiRequest): Promise<EncodedResponse> {
    const file = this.files.find(request.context.path);
    if (file === undefined) throw new ApiError('not_found');
    return this.writer.encode(request, file);
  }
}
