import { Catch, HttpException, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { ApiError } from '../../../domain/errors/api-error.js';
import { isUnavailable } from '../../../store/unavailable.js';
import { Log } from '../../log/log.js';
import type { ApiRequest, ApiResponse } from '../request/api-request.js';
import { ResponseWriter } from './response-writer.service.js';

/** Maps every exception to an error of the table; only the log gets its details. */
@Catch()
@Injectable()
export class ApiErrorFilter implements ExceptionFilter {
  constructor(
    private readonly writer: ResponseWriter,
    private readonly log: Log,
  ) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const error = asApiError(thrown);
    if (isFailure(error)) this.log.failure(request.context.id, thrown);
    // `sendError` never rejects; Nest does not await a filter.
    await this.writer.sendError(request, http.getResponse<ApiResponse>(), error);
  }
}

/** Logs internal errors. Overload is logged once per episode, not per request. */
export function isFailure({ status, details }: ApiError): boolean {
  return status >= 500 && details.detail !== 'busy';
}

export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isUnavailable(thrown)) return new ApiError('unavailable', { retryAfterSeconds: 1 }, { cause: thrown });
  if (thrown instanceof HttpException) {
    const status = thrown.getStatus();
    if (status === 404) return new ApiError('not_found');
    if (status === 413) return new ApiError('body_too_large');
    if (status === 415) return new ApiError('unsupported_media_type');
    if (status >= 400 && status < 500) return new ApiError('malformed_request');
  }
  return new ApiError('internal_error', {}, { cause: thrown });
}
