import { Controller, Get, Param, Req, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ApiError } from '../../domain/errors/api-error.js';
import { Public } from '../../serve/access/keys/public.decorator.js';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { EncodedResponse } from '../../serve/http/response/response-writer.service.js';
import { SerializedResponse } from '../../serve/http/response/serialized-response.js';
import { FileLinkErrorFilter } from '../site/file-link-error.filter.js';
import { FileLinkGuard } from '../site/file-link.guard.js';
import { isFileFormat } from '../views/table-file.js';
import { FileTables } from './file-tables.service.js';

/** One range of bytes, as programs that read parts of a file ask for it. */
const RANGE = /^bytes=(\d{1,15})-(\d{0,15})$/;

/** One table as a file, for programs that send no key: the link in the path is the capability, and opens nothing else. */
@Public()
@ApiExcludeController()
@UseGuards(FileLinkGuard)
@UseFilters(FileLinkErrorFilter)
@Controller('files')
export class FileLinkController {
  constructor(private readonly tables: FileTables) {}

  @Get(':file')
  async show(@Req() request: ApiRequest, @Param('file') file: string): Promise<EncodedResponse> {
    const reads = request.context.caller?.reads;
    const format = file.split('.').slice(1).join('.');
    if (reads === undefined || !isFileFormat(format)) throw new ApiError('not_found', { detail: 'link' });
    const { response, body } = await this.tables.find(request, reads, format);
    const headers = { ...response.headers, 'cache-control': 'private, no-cache', 'accept-ranges': 'bytes' };
    const { locale, plain } = response;
    const part = body.coding === 'identity' ? rangeOf(request, plain.length) : null;
    if (part === null)
      return new EncodedResponse(new SerializedResponse(response.status, headers, locale, plain), body);
    const bytes = plain.subarray(part.first, part.last + 1);
    const range = { 'content-range': `bytes ${part.first}-${part.last}/${plain.length}` };
    const partial = new SerializedResponse(206, { ...headers, ...range }, locale, bytes);
    return new EncodedResponse(partial, { coding: 'identity', bytes, etag: body.etag });
  }
}

/** The requested range (RFC 9110, 14.2); null for the whole file, which may be sent for any range. */
function rangeOf({ headers }: ApiRequest, length: number): { first: number; last: number } | null {
  const [, from, to] = RANGE.exec(headers.range ?? '') ?? [];
  if (from === undefined || headers['if-range'] !== undefined) return null;
  const [first, last] = [Number(from), Math.min(to === '' ? Infinity : Number(to), length - 1)];
  return first <= last ? { first, last } : null;
}
