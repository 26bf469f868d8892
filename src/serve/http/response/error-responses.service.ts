import { Inject, Injectable } from '@nestjs/common';
import { ApiError, shortened, type ParameterFault } from '../../../domain/errors/api-error.js';
import { ERRORS } from '../../../domain/errors/errors.js';
import { inAll, type Locale } from '../../../domain/locale/locale.js';
import { VOICES } from '../../../domain/locale/voice/voices.js';
import { Texts } from '../../../domain/locale/texts.service.js';
import { Log } from '../../log/log.js';
import { HTTP_SETTINGS, type HttpSettings } from '../settings.js';
import type { ProblemEnvelope } from './problem.schema.js';

/** The most mistakes that a response lists: each costs time on the event loop. */
const MOST_FAULTS = 10;
/** Placeholder of the request id in a body that is otherwise constant. */
const ID_PLACEHOLDER = '00000000-0000-4000-8000-000000000000';

/** An error as it is sent: body, status, headers. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly envelope: ProblemEnvelope;
}

/** Builds the response of an error: RFC 9457 members inside the envelope. */
@Injectable()
export class ErrorResponses {
  private readonly internal: Readonly<Record<Locale, ProblemEnvelope>>;
  private readonly internalBytes: Readonly<Record<Locale, string>>;

  constructor(
    private readonly texts: Texts,
    @Inject(HTTP_SETTINGS) private readonly settings: HttpSettings,
    private readonly log: Log,
  ) {
    const error = new ApiError('internal_error');
    this.internal = inAll((locale) => this.envelope(error, locale, ID_PLACEHOLDER));
    this.internalBytes = inAll((locale) => JSON.stringify(this.internal[locale]));
  }

  /** Never throws: if a text fails, the result is `internal_error`, which was built at the start. */
  create(error: ApiError, locale: Locale, requestId: string): ErrorResponse {
    try {
      return { status: error.status, headers: this.headers(error), envelope: this.envelope(error, locale, requestId) };
    } catch (failure) {
      this.log.failure(requestId, failure);
      const { error: problem, ...rest } = this.internal[locale];
      return {
        status: problem.status,
        headers: this.headers(new ApiError('internal_error')),
        envelope: { error: { ...problem, requestId }, ...rest },
      };
    }
  }

  /** The bytes of `internal_error`, for when nothing else works. */
  internalError(locale: Locale, requestId: string): Buffer {
    // A replacement function, because `replace` would interpret `$` in a text.
    const id = JSON.stringify(requestId).slice(1, -1);
    return Buffer.from(this.internalBytes[locale].replace(ID_PLACEHOLDER, () => id));
  }

  /** @throws Error if a text or an argument of it is missing: a bug */
  envelope(error: ApiError, locale: Locale, requestId: string): ProblemEnvelope {
    const { code, details } = error;
    const errors = details.faults?.slice(0, MOST_FAULTS).map((fault) => this.fault(fault, locale));
    return {
      error: {
        type: `${this.settings.baseUrl}/docs/errors/${code}`,
        title: this.texts.say(locale, `errors.${code}.title`),
        status: error.status,
        detail: this.detail(error, locale, errors ?? []),
        code,
        requestId,
        ...(errors && { errors }),
      },
      data: null,
      meta: { locale, dataVersion: null, publishedAt: null, sources: [], notices: [] },
    };
  }

  /** Says that there are more mistakes than the response lists. */
  more({ length }: readonly ParameterFault[], locale: Locale): string | null {
    if (length <= MOST_FAULTS) return null;
    const counts = { listed: MOST_FAULTS, count: length - MOST_FAULTS };
    return this.texts.say(locale, 'errors.invalid_parameter.more', counts);
  }

  headers({ code, details }: ApiError): Record<string, string> {
    return {
      'cache-control': 'no-store',
      ...(ERRORS[code].status === 401 && { 'www-authenticate': 'Bearer' }),
      ...(ERRORS[code].retryAfter && { 'retry-after': String(details.retryAfterSeconds ?? 1) }),
      ...details.headers,
    };
  }

  private detail({ code, details }: ApiError, locale: Locale, errors: readonly ErrorItem[]): string {
    const between = VOICES[locale].space;
    const [first] = errors;
    if (code === 'not_found' && first !== undefined) {
      return first.message;
    }
    const args = { ...details.args, seconds: details.retryAfterSeconds ?? 1 };
    const detail = this.texts.say(locale, `errors.${code}.${details.detail ?? 'detail'}`, args);
    const more = this.more(details.faults ?? [], locale);
    return more === null ? detail : detail + between + more;
  }

  private fault({ parameter, reason, args, allowed }: ParameterFault, locale: Locale): ErrorItem {
    const values = (allowed ?? []).join(VOICES[locale].comma);
    const named = { parameter: shortened(parameter), values, ...args };
    const message =
      this.texts.say(locale, `parameters.${reason}`, named) +
      (reason === 'not_in_set' ? '' : this.near(locale, allowed ?? []));
    return { parameter, message, ...(allowed && { allowed: [...allowed] }) };
  }

  /** `allowed` holds the nearest names where it is no closed set, and the message says so. */
  private near(locale: Locale, allowed: readonly string[]): string {
    if (allowed.length === 0) return '';
    // The slug of a company stands before its name, which is in a code span already.
    const names = allowed.map((name) => (name.includes('`') ? name : `\`${name}\``)).join(VOICES[locale].comma);
    return VOICES[locale].space + this.texts.say(locale, 'errors.not_found.near', { names });
  }
}

type ErrorItem = NonNullable<ProblemEnvelope['error']['errors']>[number];
