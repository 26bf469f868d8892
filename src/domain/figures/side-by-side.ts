import type { Locale } from '../locale/locale.js';
import { printedText } from './decimal.js';
import { writeSeries } from './figure-text.js';
import type { Figure } from './figure.schema.js';

/**
 * The same figures with texts that a reader compares: equal decimals.
 * @param ofSeries neighbours are of one series: those that differ look different
 */
export function sideBySide<Shown extends Figure>(
  figures: readonly Shown[],
  currency: string | null,
  locale: Locale,
  ofSeries = true,
): Shown[] {
  const [first] = figures;
  if (first === undefined) return [];
  const printed = figures.flatMap(({ value, decimals }) => (value === null ? [] : [printedText(value, decimals)]));
  const texts = writeSeries(locale, { unit: first.unit, currency }, printed, ofSeries);
  return figures.map((one) => (one.value === null ? one : { ...one, text: texts.shift() ?? one.text }));
}
