// The attributions of sources, with the sentences that their licences demand.
import { formatDay, formatPeriod } from '../locale/format.js';
import type { Locale, Localized } from '../locale/locale.js';
import { SENTENCES, VOICES } from '../locale/voice/voices.js';
import { LICENCES, type LicenceTerms } from './licences.js';
import type { Citations } from './citations.js';
import type { SourceAttribution } from './source.schema.js';

/** A source as an attribution needs it. */
export interface AttributedSource {
  readonly id: string;
  readonly name: Localized;
  readonly publisher: Localized;
  readonly url: string;
  readonly level: SourceAttribution['level'];
  readonly licence: string;
  readonly attribution: Localized;
  readonly notice: Localized | null;
  /** A day. */
  readonly retrievedOn: string | null;
  /** Those that have a page of their own at the publisher, by key. */
  readonly series: readonly { readonly key: string; readonly name: Localized; readonly url: string }[];
}

export type Sources = ReadonlyMap<string, AttributedSource>;

/**
 * The attributions of all cited sources, in the order of the ids, each with the cited of its series.
 * @throws if one is missing: a figure without its attribution must not be served
 */
export function attributionsOf(
  sources: Sources,
  { cited, citedSeries }: Citations,
  locale: Locale,
): SourceAttribution[] {
  return cited.map((id) => {
    const row = sources.get(id);
    if (row === undefined) throw new Error(`No attribution for ${id}`);
    return {
      id,
      name: row.name[locale],
      publisher: row.publisher[locale],
      url: row.url,
      series: row.series
        .filter(({ key }) => citedSeries.has(key))
        .map(({ key, name, url }) => ({ key, name: name[locale], url })),
      level: row.level,
      ...demandedOf(row, locale),
      retrievedAt: row.retrievedOn,
    };
  });
}

/** What the licence demands: its name, the attribution as it has to read, the sentences to show. */
function demandedOf(
  { id, licence, attribution, notice, retrievedOn }: AttributedSource,
  locale: Locale,
): Pick<SourceAttribution, 'licence' | 'attribution' | 'notice'> {
  const terms = Object.hasOwn(LICENCES, licence) ? LICENCES[licence] : undefined;
  if (terms === undefined) {
    throw new Error(
      `The catalogue lacks the licence ${licence} of ${id}: CATALOGUE_DIR differs from that of the import`,
    );
  }
  const notices = [terms.notice, notice].flatMap((text) => (text === null ? [] : [text[locale]]));
  return {
    licence: { id: licence, name: terms.name[locale], url: terms.url },
    attribution: attributionIn(locale, attribution[locale], terms, retrievedOn),
    notice: notices.length === 0 ? null : notices.join(VOICES[locale].space),
  };
}

function attributionIn(
  locale: Locale,
  attribution: string,
  { dated, modificationStated }: LicenceTerms,
  retrievedOn: string | null,
): string {
  const { day, month, modified } = SENTENCES[locale].sources;
  const sentences = [attribution];
  if (retrievedOn !== null && dated === 'month') {
    const words = {
      attribution: attribution.replace(/[.。]$/, ''),
      month: formatPeriod(locale, retrievedOn.slice(0, 7)),
    };
    sentences[0] = month(words);
  }
  if (retrievedOn !== null && dated === 'day') sentences.push(day({ day: formatDay(locale, retrievedOn) }));
  if (modificationStated) sentences.push(modified({}));
  return sentences.join(VOICES[locale].space);
}
