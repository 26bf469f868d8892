import { LOCALES } from '../../domain/locale/locale.js';
import { SENTENCES } from '../../domain/locale/voice/voices.js';
import type { SourceAttribution } from '../../domain/sources/source.schema.js';
import type { Page } from '../../serve/responses/result.js';
import { present } from './present.js';

/** A source as results cite it. */
export interface ProjectedSource {
  readonly id: string;
  readonly attribution: string;
  readonly url: string;
  /** Absent if the attribution names it. */
  readonly licence?: { readonly name: string; readonly url: string };
  readonly series?: readonly { readonly key: string; readonly name: string; readonly url: string }[];
}

interface Meta {
  readonly publishedAt: string | null;
  readonly sources: readonly SourceAttribution[];
  readonly notices: readonly string[];
  readonly page?: Page;
}

/** The `meta` of a result in few tokens: without what `dataVersion` tells, and without empty members. */
export function projectedMeta<Whole extends Meta>({ publishedAt: _at, sources, notices, page, ...meta }: Whole) {
  return {
    ...meta,
    sources: sources.map(projectedSource),
    ...(notices.length > 0 && { notices }),
    ...(page?.nextCursor != null && { page }),
  };
}

/** The text and the instructions say once, for all sources, what is made here. */
const withoutModified = (attribution: string): string =>
  LOCALES.reduce((text, locale) => text.replace(SENTENCES[locale].sources.modified({}), ''), attribution).trim();

/** A source in few tokens, with the page of its only cited series, if that has one. */
export function projectedSource({ id, attribution, url, licence, series }: SourceAttribution): ProjectedSource {
  const [only, ...others] = series;
  const isOne = only !== undefined && others.length === 0;
  const named = attribution.includes(licence.id.toUpperCase().replaceAll('-', ' '));
  return {
    id,
    attribution: withoutModified(attribution),
    url: isOne ? only.url : url,
    ...(!named && { licence: { name: licence.name, url: licence.url } }),
    ...present({ series: isOne ? [] : series }),
  };
}
