import { Inject, Injectable } from '@nestjs/common';
import { Heartbeat } from '../../store/heartbeat.js';
import { ApiError } from '../../domain/errors/api-error.js';
import { AccountSlots } from '../../serve/http/overload/account-slots.js';
import type { RenderRequest } from '../../serve/http/request/api-request.js';
import { envelopeOf } from '../../serve/http/response/envelope-serializer.service.js';
import { ResponseCache } from '../../serve/http/response/response-cache.js';
import { ResponseWriter, type EncodedResponse } from '../../serve/http/response/response-writer.service.js';
import { SerializedResponse } from '../../serve/http/response/serialized-response.js';
import { HTTP_SETTINGS, type HttpSettings } from '../../serve/http/settings.js';
import { Gauges } from '../../serve/metrics/gauges.js';
import { RequestContext } from '../../serve/responses/request-context.js';
import { pageLocale } from '../site/page-locale.js';
import type { Result } from '../../serve/responses/result.js';
import type { Change } from '../../serve/resources/changes/change.schema.js';
import type { Locale } from '../../domain/locale/locale.js';
import { PAGE_HEADERS, PageResponses } from '../site/page-responses.service.js';
import { fileResponse, isFileFormat, type FileTable } from '../views/table-file.js';
import { tablePathOf } from '../views/table-path.js';
import { datasetOf, sourcesView } from '../views/source.view.js';
import type { PageModel } from '../site/views.service.js';

/** All readers share the render slots. */
const READERS = 'public';
const CACHE_BYTES = 16 * 1024 * 1024;
/** Uses at most this many of the ten database connections; further pages queue, up to a bound. */
const SLOTS = { waitMs: 2_000, slots: 2, mostWaiting: 20 };

export interface RenderedPage {
  readonly view: string;
  readonly model: PageModel;
  /** What it shows: with their sources and notices. */
  readonly results: readonly Result<unknown>[];
  /** Its table with all rows of the span, which `?format=csv` and `?format=xlsx` download. */
  readonly table?: FileTable;
  /** Its newest changes, which `?format=atom` gives to feed readers. */
  readonly feed?: Result<readonly Change[]>;
  /** The years that its figures cover; a page without one describes no data set. */
  readonly coverage?: string;
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
    request: RenderRequest,
    name: string,
    make: (context: RequestContext) => Promise<RenderedPage>,
  ): Promise<EncodedResponse> {
    const format = request.context.query['format'];
    const other = isFileFormat(format) || format === 'atom' ? format : null;
    return this.respond(request, `${other ?? 'page'} ${name}`, async (context) => {
      const { locale, today } = context;
      const { view, model, results, table, feed, coverage } = await make(context);
      if (other === 'atom' && feed !== undefined) return this.feed(feed, model, locale);
      if (isFileFormat(other) && table !== undefined) return fileResponse(table, other, results, locale, PAGE_HEADERS);
      if (other !== null) throw new ApiError('not_found');
      const { title, path, description = title } = model;
      const address = `${this.settings.baseUrl}${path}`;
      const as = (format: string) => `${path}${path.includes('?') ? '&' : '?'}format=${format}`;
      const file = table === undefined ? null : as('csv');
      const [first] = results;
      const facts = { name: title, description, url: address, file: file && this.settings.baseUrl + file };
      const shared = {
        listed: true,
        today,
        csv: file,
        xlsx: file && as('xlsx'),
        link: file && tablePathOf(path, locale) && `/account/links?table=${encodeURIComponent(path)}`,
        feed: feed && as('atom'),
        script: model['chart'] ? 'chart.js' : null,
        ...sourcesView(results, locale),
        ...(coverage !== undefined &&
          first !== undefined && {
            jsonLd: {
              ...datasetOf({ ...facts, result: first, coverage }, locale),
              ...(model.about !== undefined && { about: model.about }),
            },
          }),
      };
      return this.pages.create(view, { ...shared, ...model }, locale);
    });
  }

  private feed(feed: Result<readonly Change[]>, model: PageModel, locale: Locale): SerializedResponse {
    const headers = { 'content-type': 'application/atom+xml; charset=utf-8', 'x-robots-tag': 'noindex' };
    const { data: changes, publishedAt } = feed;
    const rights = sourcesView([feed], locale).sources.map(({ attribution }) => attribution);
    return this.pages.create('feed', { ...model, changes, publishedAt, rights }, locale, { headers });
  }

  /** For programs: the page's data in the API's envelope. */
  json(
    request: RenderRequest,
    name: string,
    make: (context: RequestContext) => Promise<Result<unknown>>,
  ): Promise<EncodedResponse> {
    return this.respond(request, `json ${name}`, async (context) => {
      const headers = { ...PAGE_HEADERS, 'content-type': 'application/json; charset=utf-8' };
      const text = JSON.stringify(envelopeOf(await make(context), context.locale));
      return new SerializedResponse(200, headers, context.locale, Buffer.from(text));
    });
  }

  /** A file for crawlers; it is the same in every language. */
  file(
    request: RenderRequest,
    type: string,
    make: (context: RequestContext) => Promise<string>,
  ): Promise<EncodedResponse> {
    return this.respond(request, `file ${request.context.path}`, async (context) => {
      const headers = { ...PAGE_HEADERS, 'content-type': type };
      return new SerializedResponse(200, headers, context.locale, Buffer.from(await make(context)));
    });
  }

  private async respond(
    request: RenderRequest,
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
