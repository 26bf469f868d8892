// What an exchange rate says of its region's currency.
import { currencyHolder, currencyName } from '../../domain/figures/currencies.js';
import { percentChange, unsigned } from '../../domain/figures/decimal.js';
import { figureText, percentBeside, percentText, writeFigures } from '../../domain/figures/figure-text.js';
import type { UnitCode } from '../../domain/figures/units.js';
import { verbForms, type Wording } from '../../domain/figures/wording.js';
import type { Locale, Localized } from '../../domain/locale/locale.js';
import { VOICES } from '../../domain/locale/voice/voices.js';

interface ExchangeRate {
  readonly unit: UnitCode;
  readonly currency: string | null;
  readonly wording: Wording;
  readonly region: Localized;
}

/** The region's currency gains what the exchange rate loses. `null` where the catalogue has no currency. */
export function exchangeWords(
  locale: Locale,
  { unit, currency, wording, region }: ExchangeRate,
  actual: string,
  previous: string | null,
): Record<string, string> | null {
  const gain = currency === null || previous === null ? null : percentChange(actual, previous);
  if (currency === null || previous === null || gain === null) return null;
  const [now = '0', before = '0'] = writeFigures(locale, { unit, currency }, [actual, previous]).shown;
  return {
    currency: currencyName(currency)[locale],
    holder: currencyHolder(locale, currency, region[locale]),
    /** Alone, and beside the two figures. */
    share: percentText(locale, unsigned(gain)),
    percent: percentBeside(locale, unsigned(gain), [now, before]),
    rate: figureText(locale, { unit, currency: VOICES[locale].market.unitless ? null : currency }, actual),
    ...verbForms(locale, wording.verb, false, !gain.startsWith('-')),
  };
}
