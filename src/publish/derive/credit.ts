// Whom a sentence credits: who made the figure, and a portal only after it.
import { inAll, type Localized } from '../../domain/locale/locale.js';
import { SENTENCES } from '../../domain/locale/voice/voices.js';

/** A source as a sentence names it; what a portal republishes has its name and the survey of the maker. */
export interface Credited {
  readonly publisher: Localized;
  readonly survey: Localized | null;
  /** Who published what the maker made. */
  readonly portal: Localized | null;
  readonly modelled: boolean;
}

/**
 * The columns of `Credited` and their join. The first origin of a portal's series made its figures, and so did a model
 * whose estimates another publishes.
 * @param source alias of the row of `sources`
 * @param origins expression of the series' origins
 */
export const creditColumns = (source: string): string => `
  coalesce(maker.publisher, ${source}.publisher) AS publisher, maker.name AS survey,
  CASE WHEN maker.modelled THEN ${source}.publisher WHEN maker.id IS NOT NULL THEN ${source}.name END AS portal,
  coalesce(maker.modelled, false) AS modelled`;
export const creditJoin = (source: string, origins: string): string =>
  `LEFT JOIN sources maker ON maker.id = (${origins})[1] AND (${source}.portal OR maker.modelled)`;

export function creditOf({ publisher, survey, portal, modelled }: Credited): Localized {
  if (portal === null || survey === null) return publisher;
  return inAll((locale) =>
    SENTENCES[locale].sources[modelled ? 'modelled' : 'portal']({
      maker: publisher[locale],
      survey: survey[locale],
      portal: portal[locale],
    }),
  );
}
