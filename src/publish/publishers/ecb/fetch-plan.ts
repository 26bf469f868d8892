// Requests the ECB's reference rates: the whole history, or only the newest day if `since` allows it.
import { dayOf } from '../../../domain/figures/periods.js';
import { ImportError, type FetchOptions } from '../../batches/importer.js';
import { fetchBy, type FetchPlan, type FetchSettings } from '../../downloads/fetch-plan.js';
import { visibleText } from '../../batches/text.js';
import { isZip } from '../../batches/unzip.js';

export interface EcbSettings extends FetchSettings {
  /** `YYYY-MM-DD`. */
  readonly today: () => string;
}

/** One archive. Importing the whole history again changes nothing, because equal rates make no difference. */
function* plan({ since }: FetchOptions, { base, today }: EcbSettings): FetchPlan<true> {
  const file = since !== null && since >= today() ? 'eurofxref.zip' : 'eurofxref-hist.zip';
  yield {
    url: `${base}/${file}`,
    file,
    accept: (body, url) => {
      if (isZip(body)) return { result: true, content: body };
      const words = visibleText(body.toString('utf8'));
      throw new ImportError(`${url}: the response is not a ZIP archive, but says ${words}`);
    },
    progress: () => ({ what: file, left: 0 }),
  };
}

export const fetchReferenceRates = fetchBy(
  { base: 'https://www.ecb.europa.eu/stats/eurofxref', today: () => dayOf(new Date()) },
  plan,
);
