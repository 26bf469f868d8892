// Requests series of the BLS Public Data API, ten years per call: more requires a registration.
import { ImportError, type FetchOptions } from '../../batches/importer.js';
import { fetchBy, type FetchPlan, type FetchSettings } from '../../downloads/fetch-plan.js';
import { quoted } from '../../batches/text.js';
import { parseResponse } from './api-response.js';

const YEARS_A_CALL = 10;
/** The first year of the consumer price index. */
const FIRST_YEAR = 1913;

/** One file for each series and span of ten years. */
function* plan({ indicators, since }: FetchOptions, { base, thisYear }: FetchSettings): FetchPlan<object> {
  const odd = indicators.find((code) => !/^[A-Z0-9_#-]{1,40}$/.test(code));
  if (odd !== undefined) throw new ImportError(`${quoted(odd)} is not a series of the BLS`);
  const spans = spansOf(since === null ? FIRST_YEAR : Number(since.slice(0, 4)), thisYear());
  const calls = indicators.flatMap((code) => spans.map(([first, last]) => ({ code, first, last })));
  for (const [index, { code, first, last }] of calls.entries()) {
    yield {
      url: `${base}/${code}?startyear=${first}&endyear=${last}`,
      file: `${code}.${first}-${last}.json`,
      accept: (body, url) => ({ result: parseResponse(body.toString('utf8'), url), content: body }),
      progress: () => ({ what: `${code}, ${first} to ${last}`, left: calls.length - index - 1 }),
    };
  }
}

function spansOf(first: number, last: number): [number, number][] {
  const spans: [number, number][] = [];
  for (let year = first; year <= last; year += YEARS_A_CALL) {
    spans.push([year, Math.min(year + YEARS_A_CALL - 1, last)]);
  }
  return spans;
}

export const fetchBls = fetchBy({ base: 'https://api.bls.gov/publicAPI/v2/timeseries/data' }, plan);
