import { Controller, Get, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../access/keys/public.decorator.js';
import { ApiError } from '../../../domain/errors/api-error.js';
import type { ApiRequest } from '../request/api-request.js';
import { ApiDocument } from '../openapi/api-document.js';
import { HeldExamples } from '../openapi/held-examples.js';
import { DOCUMENT_PATH, documentFile } from './documentation-files.js';
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
    private readonly document: ApiDocument,
    private readonly examples: HeldExamples,
  ) {}

  // Accept a trailing slash, because people type one.
  @Get(['docs', 'docs/{*file}', '.well-known/security.txt', '.well-known/oauth-protected-resource{/*path}'])
  async show(@Req() request: ApiRequest): Promise<EncodedResponse> {
    const { content } = this.document;
    if (content !== null && request.context.path === DOCUMENT_PATH && (await this.examples.fill(content)))
      this.pages.add([documentFile(content)]);
    const page = this.pages.find(request.context.path);
    if (page === undefined) throw new ApiError('not_found');
    return this.writer.encode(request, page);
  }
}
