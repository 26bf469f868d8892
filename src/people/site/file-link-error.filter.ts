import { Catch, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { ApiRequest, ApiResponse } from '../../serve/http/request/api-request.js';
import { asApiError, isFailure } from '../../serve/http/response/error.filter.js';
import { ErrorResponses } from '../../serve/http/response/error-responses.service.js';
import { Log } from '../../serve/log/log.js';
import { pageLocale } from './page-locale.js';

/** Says what is wrong in one sentence, as plain text: a spreadsheet or a program shows it to its user as it is. */
@Catch()
@Injectable()
export class FileLinkErrorFilter implements ExceptionFilter {
  constructor(
    private readonly errors: ErrorResponses,
    private readonly log: Log,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<ApiResponse>();
    const error = asApiError(thrown);
    const { id } = request.context;
    if (isFailure(error)) this.log.failure(id, thrown);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const locale = pageLocale(request);
    const { status, headers, envelope } = this.errors.create(error, locale, id);
    response.writeHead(status, {
      ...headers,
      'content-type': 'text/plain; charset=utf-8',
      'content-language': locale,
      'x-robots-tag': 'noindex',
    });
    response.end(request.method === 'HEAD' ? undefined : `${envelope.error.detail}\n`);
  }
}
