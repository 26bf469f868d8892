import { Injectable } from '@nestjs/common';
import { ApiError } from '../../domain/errors/api-error.js';
import type { RenderRequest } from '../../serve/http/request/api-request.js';
import type { EncodedResponse } from '../../serve/http/response/response-writer.service.js';
import { RequestContext } from '../../serve/responses/request-context.js';
import { PlaceQuery } from '../views/place.js';
import type { FileFormat } from '../views/table-file.js';
import { CountryPageController } from './country-page.controller.js';
import { IndicatorPageController } from './indicator-page.controller.js';
import { MarketPageController } from './market-page.controller.js';
import { SeriesPageController } from './series-page.controller.js';

/** The tables of pages as files, for file links: the page itself makes them, from the same cache. */
@Injectable()
export class FileTables {
  constructor(
    private readonly series: SeriesPageController,
    private readonly indicators: IndicatorPageController,
    private readonly markets: MarketPageController,
    private readonly countries: CountryPageController,
  ) {}

  /**
   * @param reads from `tablePathOf`
   * @throws ApiError `not_found` if the table has gone
   */
  find({ context, headers, slot }: RenderRequest, reads: string, format: FileFormat): Promise<EncodedResponse> {
    const { pathname, searchParams } = new URL(reads, 'http://localhost');
    const query = { ...Object.fromEntries(searchParams), format };
    const { id, receivedAt } = context;
    const request = {
      context: new RequestContext(id, receivedAt, pathname, () => query),
      headers,
      ...(slot && { slot }),
    };
    const [, list, name, region] = pathname.split('/');
    const place = PlaceQuery.parse(query);
    if (list === 'macro' && name !== undefined)
      return region === undefined
        ? this.indicators.show(request, place, name)
        : this.series.show(request, place, name, region);
    if (list === 'markets')
      return name === undefined ? this.markets.list(request) : this.markets.show(request, place, name);
    if (list === 'countries')
      return name === undefined ? this.countries.list(request) : this.countries.show(request, name);
    throw new ApiError('not_found');
  }
}
