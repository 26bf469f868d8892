import { z } from 'zod';
import type { Bar, Instrument, InstrumentBars, InstrumentDetail } from '../../serve/resources/markets/market.schema.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import { originsOf, projectedAge, projectedPoint, ProjectedPoint, untexted } from './figure-projection.js';
import { present } from './present.js';

export const ProjectedQuote = z.looseObject({
  key: z.string(),
  name: z.string(),
  unit: z.looseObject({ label: z.string() }),
  quote: z.looseObject({ last: ProjectedPoint, previous: z.unknown() }).optional(),
  points: z.array(ProjectedPoint).optional(),
  range: z
    .looseObject({ lowest: ProjectedPoint, highest: z.unknown(), mean: z.looseObject({ value: z.number() }) })
    .optional(),
  source: z.string(),
  url: z.string(),
});

/** The range of several closes: of one, it is the close. */
export const rangeOf = ({ range }: Pick<InstrumentDetail, 'range'>): InstrumentDetail['range'] =>
  range !== null && range.figures > 1 ? range : null;

/** An instrument whose unit stands once; values without their texts. */
export function projectedQuote({
  points,
  range: whole,
  ...instrument
}: InstrumentDetail): z.input<typeof ProjectedQuote> {
  const range = rangeOf({ range: whole });
  return {
    ...projectedInstrument(instrument),
    ...(range && {
      range: {
        ...range,
        oldest: untexted(range.oldest),
        lowest: untexted(range.lowest),
        highest: untexted(range.highest),
        mean: { value: range.mean.value },
      },
    }),
    points: points.map(projectedPoint),
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
  const { unit, currency, lastObservedOn: _day, nativeTimeframe: _frame, changedPeriods, ...kept } = members;
  const { code, label } = unit;
  return {
    ...kept,
    unit: { code, label },
    ...present({ currency, changedPeriods, status: status === 'active' ? null : status }),
    ...(quote && { quote: { last: untexted(quote.last), previous: untexted(quote.previous), ...projectedAge(quote) } }),
    url: linkOf(instrument),
  };
}

/** A close, whose own period says of which bar it is. */
function projectedBar({ close, complete }: Bar) {
  return { close: untexted(close), ...(!complete && { complete }) };
}
