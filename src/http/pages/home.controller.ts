import { Controller, Get, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../access/public.decorator.js';
import { ApiError } from '../../errors/api-error.js';
import type { ApiRequest } from '../request/api-request.js';
import { Pages } from './pages.service.js';
import { ResponseWriter, type EncodedResponse } from '../response/response-writer.service.js';

/** The pages for browsers; they need no key. */
@Public()
@ApiExcludeController()
@Controller()
export class HomeController {
  constructor(
    private readonly pages: Pages,
    private readonly writer: ResponseWriter,
  ) {}

  // Accept a trailing slash, because people type one.
  @Get([
    '/',
    'docs',
    'docs/{*file}',
    '.well-known/security.txt',
    '.well-known/oauth-protected-resource{/*path}',
  ])
  show(@Req() request: ApiRequest): Promise<EncodedResponse> {
    const page = this.pages.find(request.context.path);
    if (page === undefined) throw new ApiError('not_found');
    return this.writer.encode(request, page);
  }
}
