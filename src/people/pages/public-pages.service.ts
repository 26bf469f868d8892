import { Inject, Injectable } from '@nestjs/common';
import { Heartbeat } from '../../store/heartbeat.js';
import { ApiError } from '../../domain/errors/api-error.js';
import { AccountSlots } from '../../serve/http/overload/account-slots.js';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { envelopeOf } from '../../serve/http/response/envelope-serializer.service.js';
import { ResponseCache } from '../../serve/http/response/response-cache.js';
import { ResponseWriter, type EncodedResponse } from '../../serve/http/response/response-writer.service.js';
import { SerializedResponse } from '../../serve/http/response/serialized-response.js';
import { HTTP_SETTINGS, type HttpSettings } from '../../serve/http/settings.js';
import { Gauges } from '../../serve/metrics/gauges.js';
import { RequestContext } from '../../serve/responses/request-context.js';
import { pageLocale } from '../site/page-locale.js';
import type { Result } from '../../serve/responses/result.js';
import { PAGE_HEADERS, PageResponses } from '../site/page-responses.service.js';
import type { PageModel } from '../site/views.service.js';

/** All readers share the render slots. */
const READERS = 'public';
const CACHE_BYTES = 16 * 1024 * 1024;
/** Uses at most this many of the ten database connections; further pages queue, up to a bound. */
const SLOTS = { waitMs: 2_000, slots: 2, mostWaiting: 20 };

export interface RenderedPage {
  readonly view: string;
  readonly model: PageModel;
}

/** Serves public pages from a cache keyed by data version, day and locale, and renders the missing ones. */
@Injectable()
export class PublicPages {
  private readonly cache = new ResponseCache(CACHE_BYTES);
  private readonly slots = new AccountSlots(SLOTS);

  constructor(
    private readonly pages: PageResponses,
    private readonly writer: ResponseWriter,
    private readonly heartbeat: Heartbeat,
    @Inject(HTTP_SETTINGS) private readonly settings: HttpSettings,
    gauges: Gauges,
  ) {
    gauges.watchCache('pages', this.cache);
  }

  /** @param name the cache key: the same name gives the same page within a data version, day and locale */
  page(
    request: ApiRequest,
    name: string,
    make: (context: RequestContext) => Promise<RenderedPage>,
  ): Promise<EncodedResponse> {
    return this.respond(request, `page ${name}`, async (context) => {
      const { view, model } = await make(context);
      return this.pages.create(view, model, context.locale);
    });
  }

  /** For programs: the page's data in the API's envelope. */
  json(
    request: ApiRequest,
    name: string,
    make: (context: RequestContext) => Promise<Result<unknown>>,
  ): Promise<EncodedResponse> {
    return this.respond(request, `json ${name}`, async (context) => {
      const headers = { ...PAGE_HEADERS, 'content-type': 'application/json; charset=utf-8' };
      const text = JSON.stringify(envelopeOf(await make(context), context.locale));
      return new SerializedResponse(200, headers, context.locale, Buffer.from(text));
    });
  }

  private async respond(
    request: ApiRequest,
    name: string,
    make: (context: RequestContext) => Promise<SerializedResponse>,
  ): Promise<EncodedResponse> {
    if (!this.settings.publicPages) throw new ApiError('not_found');
    const locale = pageLocale(request);
    const { id, receivedAt, path } = request.context;
    // A call without an account has the reach of the smallest plan; of the query it keeps only the locale.
    const context = new RequestContext(id, receivedAt, path, () => ({ locale }));
    const key = `${this.heartbeat.latest.dataVersion} ${context.today} ${locale} ${name}`;
    const made = () => this.slots.run(READERS, () => this.cache.compute(key, () => make(context)));
    const response = this.cache.find(key) ?? (await (request.slot?.releaseWhile(made) ?? made()));
    return this.writer.encode(request, response);
  }
}
