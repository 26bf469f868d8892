import { LOCALES, type Locale } from '../../domain/locale/locale.js';
import { SENTENCES } from '../../domain/locale/voice/voices.js';
import type { SourceAttribution } from '../../domain/sources/source.schema.js';
import { present } from './present.js';

/** A source as results cite it. */
export interface ProjectedSource {
  readonly id: string;
  readonly attribution: string;
  readonly url: string;
  /** Without a name if the attribution names it. */
  readonly licence: { readonly name?: string; readonly url: string };
  readonly series?: readonly { readonly key: string; readonly name: string; readonly url: string }[];
}

/** For `meta`: the statement, which some licences require, that differences and texts are made here; once for all sources. */
export const modifiedBy = (sources: readonly SourceAttribution[], locale: Locale): { modified?: string } => {
  const modified = SENTENCES[locale].sources.modified({});
  return sources.some(({ attribution }) => attribution.includes(modified)) ? { modified } : {};
};

const withoutModified = (attribution: string): string =>
  LOCALES.reduce(
    (text, locale) => text.replace(SENTENCES[locale].sources.modified({}), ''),
    attribution,
  ).trim();

/** A source in few tokens, with the page of its only cited series, if that has one. */
export function projectedSource({
  id,
  attribution,
  url,
  licence,
  series,
}: SourceAttribution): ProjectedSource {
  const [only, ...others] = series;
  const isOne = only !== undefined && others.length === 0;
  const named = attribution.includes(licence.id.toUpperCase().replaceAll('-', ' '));
  return {
    ...{ id, attribution: withoutModified(attribution), url: isOne ? only.url : url },
    licence: { ...(!named && { name: licence.name }), url: licence.url },
    ...present({ series: isOne ? [] : series }),
  };
}
