import { isAbove } from '../../domain/figures/decimal.js';
import { deepens, verbForms, type VerbForms, type Wording } from '../../domain/figures/wording.js';
import type { Locale } from '../../domain/locale/locale.js';
import { CHANGE_TEMPLATES } from './templates.js';

/**
 * In Japanese a rate does not rise to a value below zero: what lies below zero shrinks or grows. `null` for other
 * languages and for values that are not below zero on both sides.
 */
export function belowZero(
  locale: Locale,
  wording: Wording,
  [actual, previous]: readonly [actual: string, previous: string | undefined],
  delta: string,
): (VerbForms & { readonly delta: string }) | null {
  if (locale !== 'ja' || previous === undefined || !deepens(wording)) return null;
  if (!isAbove('0', actual) || !isAbove('0', previous)) return null;
  const { past, noun } = verbForms(locale, 'deepen', true, isAbove(previous, actual));
  const said = CHANGE_TEMPLATES[locale].release.belowZero;
  return { past, noun: said.noun({ noun }), delta: said.delta({ delta }) };
}
