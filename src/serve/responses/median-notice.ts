import { z } from 'zod';
import { readEntries } from '../../domain/catalogue/catalogue-files.js';
import { localized } from '../../domain/catalogue/texts.schema.js';
import type { Locale } from '../../domain/locale/locale.js';
import type { Texts } from '../../domain/locale/texts.service.js';
import { VOICES } from '../../domain/locale/voice/voices.js';
import type { Citations } from '../../domain/sources/citations.js';

const indicator = z.looseObject({ shortName: localized, wording: z.looseObject({ median: z.boolean().optional() }) });

const names = new Map(
  readEntries('indicators', indicator).entries.flatMap(({ key, value: { shortName, wording } }) =>
    wording.median === true ? [[key, shortName]] : [],
  ),
);

/** Figures of groups that their publisher makes as medians, so that none passes for the rate of the whole group. */
export function medianNotice({ ages }: Citations, texts: Texts, locale: Locale): string[] {
  const shown = ages.flatMap(({ series = '', newest }) => {
    const [slug = '', region = ''] = series.split('@');
    // The codes of economies have two letters.
    return newest !== null && region.length === 3 ? (names.get(slug) ?? []) : [];
  });
  if (shown.length === 0) return [];
  const each = [...new Set(shown)].map((name) => name[locale]);
  return [texts.say(locale, 'resources.median', { names: each.join(VOICES[locale].comma) })];
}
