import { fiscalYearOf } from '../../domain/figures/fiscal-years.js';
import { formatCountry, formatPeriod } from '../../domain/locale/format.js';
import type { Locale } from '../../domain/locale/locale.js';
import type { Texts } from '../../domain/locale/texts.service.js';
import { VOICES } from '../../domain/locale/voice/voices.js';
import type { Citations } from '../../domain/sources/citations.js';
import { grouped } from '../../domain/grouped.js';

/** Economies whose years are fiscal years, with the months of the newest one: one notice for those with the same months. */
export function fiscalYearNotices({ ages }: Citations, texts: Texts, locale: Locale): string[] {
  const shown = ages.flatMap(({ series = '', newest }) => {
    const [slug = '', region = ''] = series.split('@');
    const year = newest === null ? null : fiscalYearOf(slug, region, newest);
    return year === null || newest === null ? [] : [{ ...year, region, period: newest }];
  });
  return [...grouped(shown, ({ first }) => first.slice(4)).values()].map((some) => {
    const [newest] = some.toSorted((one, other) => (one.period < other.period ? 1 : -1));
    const names = [...new Set(some.map(({ region }) => formatCountry(locale, region)))].join(VOICES[locale].comma);
    const { period, first, last } = newest ?? some[0];
    const [year = '', from = '', to = ''] = [period, first, last].map((one) => formatPeriod(locale, one));
    return texts.say(locale, 'resources.fiscal_year', { names, period: year, first: from, last: to });
  });
}
