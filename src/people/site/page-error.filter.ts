import { Catch, Injectable, type ArgumentsHost } from '@nestjs/common';
import { ApiError } from '../../domain/errors/api-error.js';
import { isApiPath, type ApiRequest, type ApiResponse } from '../../serve/http/request/api-request.js';
import { ApiErrorFilter, asApiError, isFailure } from '../../serve/http/response/error.filter.js';
import { ErrorResponses } from '../../serve/http/response/error-responses.service.js';
import { ResponseWriter } from '../../serve/http/response/response-writer.service.js';
import { Log } from '../../serve/log/log.js';
import { API_PREFIX, UrlBuilder } from '../../serve/responses/url-builder.service.js';
import { acceptsHtml, pageLocale } from './page-locale.js';
import { PageResponses } from './page-responses.service.js';

/**
 * Outside the API, shows browsers an error as a page with the texts of the error table, and sends JSON to other
 * clients. Redirects a browser that opens an API URL without a key to the matching page.
 */
@Catch()
@Injectable()
export class PageErrorFilter extends ApiErrorFilter {
  constructor(
    private readonly responses: ResponseWriter,
    private readonly failures: Log,
    private readonly errors: ErrorResponses,
    private readonly pages: PageResponses,
    private readonly urls: UrlBuilder,
  ) {
    super(responses, failures);
  }

  override async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<ApiResponse>();
    const page = this.pageInstead(thrown, request);
    if (page !== null && !response.headersSent) {
      response.writeHead(303, { location: page, 'cache-control': 'no-store' }).end();
      return;
    }
    if (isApiPath(request.context.path) || !acceptsHtml(request) || response.headersSent) {
      return super.catch(thrown, host);
    }
    try {
      const error = asApiError(thrown);
      const shown = this.page(error, request);
      this.responses.send(request, response, await this.responses.encode(request, shown));
      if (isFailure(error)) this.failures.failure(request.context.id, thrown);
    } catch {
      return super.catch(thrown, host);
    }
  }

  /** The page for a browser that opens a link of the API; browsers send no key. */
  private pageInstead(thrown: unknown, request: ApiRequest): string | null {
    const isKeyless = thrown instanceof ApiError && thrown.code === 'missing_key';
    if (!isKeyless || !acceptsHtml(request)) return null;
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const { path, query, namedLocale } = request.context;
    return this.urls.pageOf(path.slice(API_PREFIX.length), query, namedLocale);
  }

  private page(error: ApiError, request: ApiRequest) {
    const { id: requestId } = request.context;
    // The error page links to its own path in other languages; a path that begins with two slashes would name another
    // host.
    const path = request.context.path.replace(/^[/\\]+/, '/');
    const locale = pageLocale(request);
    const { status, headers, envelope } = this.errors.create(error, locale, requestId);
    const { title, detail, code } = envelope.error;
    const model = { title, path, detail, code, status, requestId };
    return this.pages.create('error', model, locale, { status, headers });
  }
}
