// How large a step is, as each language writes it beside its figures.
import { decimalsOf, difference, unsigned } from '../../../domain/figures/decimal.js';
import { basisPoints, writeFigures } from '../../../domain/figures/figure-text.js';
import { percentText } from '../../../domain/figures/written-number.js';
import { unitNamed, type UnitCode } from '../../../domain/figures/units.js';
import type { Locale, Localized } from '../../../domain/locale/locale.js';
import { VOICES } from '../../../domain/locale/voice/voices.js';
import type { FigureContext } from '../context.rule.js';
import type { Move } from './moves.rule.js';

export interface MoveFacts {
  readonly name: Localized;
  readonly publisher: Localized;
  readonly unit: UnitCode;
  readonly currency: string | null;
  readonly move: Move;
  readonly context: FigureContext | null;
}

export interface MovedPrice {
  readonly name: Localized;
  readonly unit: UnitCode;
  readonly currency: string | null;
  /** Decimals as plain text. */
  readonly actual: string;
  readonly previous: string;
  /** Signed; null where the move is a difference. */
  readonly percent: string | null;
}

/** By how much it moved, without a sign: in percent, or in points. */
export function moveSize(
  locale: Locale,
  { unit, currency, actual, previous, percent }: Omit<MovedPrice, 'name'>,
): string {
  if (percent !== null) return percentText(locale, unsigned(percent));
  const { difference: written } = writeFigures(locale, { unit, currency }, [actual, previous].map(twoDecimals(unit)));
  return differenceIn(locale, unit, difference(actual, previous), written);
}

/** Yields are quoted with two decimals; a stored one has lost its zeros. */
export const twoDecimals =
  (unit: UnitCode) =>
  (value: string): string => {
    const missing = 2 - decimalsOf(value);
    if (unitNamed(unit).dimension !== 'ratio' || missing <= 0) return value;
    return (value.includes('.') ? value : `${value}.`) + '0'.repeat(missing);
  };

function differenceIn(locale: Locale, unit: UnitCode, exact: string, written: string): string {
  return unitNamed(unit).dimension === 'ratio' && VOICES[locale].yieldsInBasisPoints
    ? basisPoints(locale, exact.replace(/^-/, ''))
    : written;
}

/** The size of a step of the same series, written like the move. */
export function stepText(locale: Locale, unit: UnitCode, measure: Move['measure'], size: string): string {
  if (measure === 'share') return percentText(locale, size);
  const written = writeFigures(locale, { unit, currency: null }, [size, '0']).difference;
  return differenceIn(locale, unit, size, written);
}
