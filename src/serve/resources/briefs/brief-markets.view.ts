import type { RequestContext } from '../../responses/request-context.js';
import { asOfQuery, type UrlBuilder } from '../../responses/url-builder.service.js';
import type { Read } from '../../../store/snapshots.js';
import { difference, percentChange } from '../../../domain/figures/decimal.js';
import { figure, numberOf } from '../../../domain/figures/figure.js';
import type { Figure } from '../../../domain/figures/figure.schema.js';
import { unitNamed } from '../../../domain/figures/units.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { Texts } from '../../../domain/locale/texts.service.js';
import type { Citations } from '../../../domain/sources/citations.js';
import { HEADLINE_CLOSES, type HeadlineCloseRow } from './brief.rows.js';
import type { Brief } from './brief.schema.js';
import { marketText } from './market-text.view.js';

/** The instruments of a brief in its order: a few that represent their market. */
export const HEADLINE_INSTRUMENTS = [
  'eurusd',
  'eurjpy',
  'eurgbp',
  'eurcny',
  'brent',
  'wti',
  'henry-hub',
  'us-par-yield-2y',
  'us-par-yield-10y',
] as const;

const A_WEEK = 7 * 86_400_000;

/**
 * The headline instruments at the end of a day.
 * @param known the day as of whose end the closes were known
 */
export async function marketsOn(
  { day, known }: { readonly day: string; readonly known: string },
  read: Read,
  cite: Citations,
  urls: UrlBuilder,
  texts: Texts,
  { locale, today }: Pick<RequestContext, 'locale' | 'today'>,
): Promise<Brief['markets']> {
  const rows = await read<HeadlineCloseRow>(HEADLINE_CLOSES, [day, HEADLINE_INSTRUMENTS, known]);
  return rows.flatMap((last, index) => {
    const before = rows[index + 1];
    // The newest close of an instrument with the previous one; a single close is left out, because it shows no move.
    if (rows[index - 1]?.key === last.key || before?.key !== last.key) return [];
    if (Date.parse(day) - Date.parse(last.period) > A_WEEK) return [];
    const ratio = unitNamed(last.unit).dimension === 'ratio';
    const percent = ratio ? null : percentChange(before.value, last.value);
    return [
      {
        key: cite.series(last.key),
        ...urls.links(locale, ['markets', last.key], asOfQuery(known, today)),
        name: last.name[locale],
        kind: last.kind,
        text: marketText(last, before, texts, locale),
        last: close(last, cite, locale),
        previous: close(before, cite, locale),
        change: numberOf(difference(last.value, before.value)),
        changePercent: numberOf(percent),
      },
    ];
  });
}

function close(row: HeadlineCloseRow, cite: Citations, locale: Locale): Figure {
  const { value, unit, currency, period, source, origins, knownSince } = row;
  return figure(cite, {
    ...{ value, missing: null, unit, currency, locale, period },
    ...{ source, origins, knownSince },
  });
}
