import { Inject, Injectable } from '@nestjs/common';
import type { ApiError, ParameterFault } from '../errors/api-error.js';
import { ERRORS } from '../errors/errors.js';
import type { Locale } from '../locale/locale.js';
import { Texts } from '../locale/texts.service.js';
import { HTTP_SETTINGS, type HttpSettings } from './settings.js';
import type { ProblemEnvelope } from './problem.schema.js';

/** Puts an error of the table into words: RFC 9457 members inside the envelope. */
@Injectable()
export class Problems {
  constructor(
    private readonly texts: Texts,
    @Inject(HTTP_SETTINGS) private readonly settings: HttpSettings,
  ) {}

  envelope(error: ApiError, locale: Locale, requestId: string): ProblemEnvelope {
    const { code, details } = error;
    const args = { ...details.args, seconds: details.retryAfterSeconds ?? 1 };
    return {
      data: null,
      meta: { locale, revision: null, publishedAt: null, sources: [], notices: [] },
      error: {
        type: `${this.settings.baseUrl}/docs/errors/${code}`,
        title: this.texts.say(locale, `errors.${code}.title`),
        status: error.status,
        detail: this.texts.say(locale, `errors.${code}.${details.detail ?? 'detail'}`, args),
        code,
        requestId,
        ...(details.faults && { errors: details.faults.map((fault) => this.fault(fault, locale)) }),
      },
    };
  }

  headers({ code, details }: ApiError): Record<string, string> {
    return {
      'cache-control': 'no-store',
      ...(ERRORS[code].status === 401 && { 'www-authenticate': 'Bearer' }),
      ...(ERRORS[code].retryAfter && { 'retry-after': String(details.retryAfterSeconds ?? 1) }),
      ...details.headers,
    };
  }

  private fault({ parameter, reason, args, allowed }: ParameterFault, locale: Locale) {
    const message = this.texts.say(locale, `parameters.${reason}`, { parameter, ...args });
    return { parameter, message, ...(allowed && { allowed: [...allowed] }) };
  }
}
