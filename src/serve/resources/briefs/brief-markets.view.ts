import type { RequestContext } from '../../responses/request-context.js';
import { asOfQuery, type UrlBuilder } from '../../responses/url-builder.service.js';
import type { Read } from '../../../store/snapshots.js';
import { daysSince } from '../../../domain/figures/periods.js';
import type { Texts } from '../../../domain/locale/texts.service.js';
import type { Citations } from '../../../domain/sources/citations.js';
import { moveBetween, SeriesFigures } from '../series/series-figures.view.js';
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

const WEEK_DAYS = 7;

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
    if (daysSince(last.period, day) > WEEK_DAYS) return [];
    const figures = new SeriesFigures(last, cite, locale);
    return [
      {
        key: cite.series(last.key),
        ...urls.links(locale, ['markets', last.key], asOfQuery(known, today)),
        name: last.name[locale],
        kind: last.kind,
        text: marketText(last, before, texts, locale),
        last: figures.at(last),
        previous: figures.at(before),
        ...moveBetween(last.unit, before.value, last.value),
      },
    ];
  });
}
