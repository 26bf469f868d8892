// The sentence of one instrument in a brief: its level, its move from the trading day before, and who says so.
import { difference, percentChange, unsigned } from '../../../domain/figures/decimal.js';
import { basisPoints, writeFigures } from '../../../domain/figures/figure-text.js';
import { percentText } from '../../../domain/figures/written-number.js';
import { unitNamed } from '../../../domain/figures/units.js';
import { formatPeriod, formatWhen } from '../../../domain/locale/format.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { VOICES } from '../../../domain/locale/voice/voices.js';
import type { Texts } from '../../../domain/locale/texts.service.js';
import type { HeadlineCloseRow } from './brief.rows.js';

type Close = Pick<HeadlineCloseRow, 'unit' | 'currency' | 'period' | 'value' | 'publisher'>;

export function marketText(last: Close, before: Close, texts: Texts, locale: Locale): string {
  const { unit, currency, period } = last;
  const { full, difference: apart } = writeFigures(locale, { unit, currency }, [last.value, before.value]);
  const delta = difference(last.value, before.value);
  const rate = unitNamed(unit).dimension === 'ratio';
  const percent = percentChange(before.value, last.value);
  const direction = Number(delta) === 0 ? 'same' : delta.startsWith('-') ? 'down' : 'up';
  const text = texts.say(locale, `briefs.market.${rate ? 'rate' : 'price'}.${direction}`, {
    last: full[0] ?? '',
    period: formatPeriod(locale, period),
    when: formatWhen(locale, period),
    move: rate
      ? VOICES[locale].yieldsInBasisPoints
        ? basisPoints(locale, unsigned(delta))
        : apart
      : percent === null
        ? apart
        : percentText(locale, unsigned(percent)),
  });
  return texts.say(locale, 'briefs.market.sourced', { text, publisher: last.publisher[locale] });
}
