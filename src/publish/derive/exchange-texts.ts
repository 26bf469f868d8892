// What an exchange rate says of its region's currency.
import { currencyHolder, currencyName, isQuotedInDollars } from '../../domain/figures/currencies.js';
import { percentChange, unsigned } from '../../domain/figures/decimal.js';
import { figureText, writeFigures } from '../../domain/figures/figure-text.js';
import { percentBeside, percentText } from '../../domain/figures/written-number.js';
import type { UnitCode } from '../../domain/figures/units.js';
import { verbForms, type Wording } from '../../domain/figures/wording.js';
import type { Locale, Localized } from '../../domain/locale/locale.js';
import { VOICES } from '../../domain/locale/voice/voices.js';

/** Of an inverse: 1.13, 0.644. */
const SHOWN_DIGITS = 3;

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
    rate: rateText(locale, { unit, currency }, actual),
    ...verbForms(locale, wording.verb, false, !gain.startsWith('-')),
  };
}

/** The average as markets quote it; in dollars it is about the inverse, because the mean of inverses is another number. */
function rateText(
  locale: Locale,
  { unit, currency }: { readonly unit: UnitCode; readonly currency: string },
  value: string,
): string {
  const { inDollars, unitless } = VOICES[locale].market;
  if (unit === 'lcu_per_usd' && isQuotedInDollars(currency)) {
    return inDollars((1 / Number(value)).toPrecision(SHOWN_DIGITS), currencyName(currency)[locale]);
  }
  return figureText(locale, { unit, currency: unitless ? null : currency }, value);
}
