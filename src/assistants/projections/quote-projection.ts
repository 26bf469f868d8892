import { z } from 'zod';
import type {
  Bar,
  Instrument,
  InstrumentBars,
  InstrumentDetail,
} from '../../serve/resources/markets/market.schema.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import { originsOf, projectedAge, ProjectedValue, projectedValue } from './figure-projection.js';
import { present } from './present.js';

export const ProjectedQuote = z.looseObject({
  key: z.string(),
  name: z.string(),
  quote: z.looseObject({ last: ProjectedValue }).optional(),
  source: z.string(),
  url: z.string(),
});

/** An instrument whose unit stands once. */
export function projectedQuote({ points, range, ...instrument }: InstrumentDetail) {
  return {
    ...projectedInstrument(instrument),
    ...(range && {
      range: { ...range, lowest: projectedValue(range.lowest), highest: projectedValue(range.highest) },
    }),
    points: points.map(projectedValue),
    ...originsOf(points),
  };
}

/** The same for each instrument of a kind. */
export function projectedBars({ bars, missing, ...instrument }: InstrumentBars) {
  return {
    ...projectedInstrument(instrument),
    ...present({ missing }),
    bars: bars.map(projectedBar),
    ...originsOf(bars.map(({ close }) => close)),
  };
}

function projectedInstrument<Held extends Instrument>(instrument: Held) {
  const { url: _url, page: _page, description: _text, average: _a, quote, status, ...members } = instrument;
  const { unit, currency, lastObservedOn: _day, nativeTimeframe: _frame, ...kept } = members;
  const { code, label } = unit;
  return {
    ...kept,
    unit: { code, label },
    ...present({ currency, status: status === 'active' ? null : status }),
    ...(quote && {
      quote: {
        last: projectedValue(quote.last),
        previous: projectedValue(quote.previous),
        ...projectedAge(quote),
      },
    }),
    url: linkOf(instrument),
  };
}

/** A close, whose own period says of which bar it is. */
function projectedBar({ close, complete }: Bar) {
  return { close: projectedValue(close), ...(!complete && { complete }) };
}
