import { formatDay, formatPeriod } from '../../domain/locale/format.js';
import type { Locale } from '../../domain/locale/locale.js';
import type { Texts } from '../../domain/locale/texts.service.js';
import type { ChartPoint } from './chart.js';

/** What a chart shows: the vintages as a band, the figures as known on a past day, else the periods that they cover. */
export function chartTitle(
  texts: Texts,
  locale: Locale,
  { name, points, asOf }: { name: string; points: readonly ChartPoint[]; asOf?: string | undefined },
): string {
  if (points.some(({ low, high }) => low !== high)) return texts.say(locale, 'site.figure.vintage_chart', { name });
  if (asOf !== undefined) return texts.say(locale, 'site.figure.known_chart', { name, day: formatDay(locale, asOf) });
  const [from, to] = [points[0], points.at(-1)].map((one) => (one ? formatPeriod(locale, one.label) : ''));
  return texts.say(locale, 'site.figure.chart', { name, from: from ?? '', to: to ?? '' });
}
