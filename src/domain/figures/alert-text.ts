// The text of an alert event, when a figure crosses the threshold, in every language.
import type { Condition } from './condition.js';
import { decimalsOf, percentChange, unsigned } from './decimal.js';
import { writeFigures } from './figure-text.js';
import { percentBeside } from './written-number.js';
import type { UnitCode } from './units.js';
import { formatPeriod, formatWhen, lowered } from '../locale/format.js';
import { inAll, type Locale, type Localized } from '../locale/locale.js';
import { SENTENCES } from '../locale/voice/voices.js';
import type { Crossing } from './alert-evaluation.js';

export interface AlertSubject {
  readonly name: Localized;
  /** Null for an instrument. */
  readonly region: Localized | null;
  readonly unit: UnitCode;
  readonly currency: string | null;
}

export function crossingHeadline(subject: AlertSubject, condition: Condition, crossing: Crossing): Localized {
  return inAll((locale) => headlineIn(locale, subject, condition, crossing));
}

function headlineIn(
  locale: Locale,
  { name, region, unit, currency }: AlertSubject,
  { metric, threshold }: Condition,
  { figure, previous }: Crossing,
): string {
  const before = metric === 'move_percent' ? (previous?.value ?? null) : null;
  const compared = metric === 'move_percent' ? before : threshold;
  const values = compared === null ? [figure.value] : [figure.value, compared];
  const { full, beside, shown } = writeFigures(locale, { unit, currency }, values);
  const percent = before === null ? '0' : (percentChange(before, figure.value) ?? '0');
  const event =
    metric !== 'move_percent' ? metric : percent.startsWith('-') ? ('move_down' as const) : ('move_up' as const);
  const words = {
    region: region === null ? '' : region[locale],
    name: region === null ? name[locale] : lowered(locale, name[locale]),
    period: formatPeriod(locale, figure.period),
    when: formatWhen(locale, figure.period),
    value: full[0] ?? '',
    threshold: beside[1] ?? '',
    previous: beside[1] ?? '',
    // At least as many decimals as the threshold has: a figure that reaches 2.5 % must not read 3 %.
    percent: percentBeside(
      locale,
      unsigned(percent),
      [shown[1] ?? '0', shown[0] ?? '0'],
      Math.max(1, decimalsOf(threshold)),
    ),
  };
  return SENTENCES[locale].alerts[region === null ? 'instrument' : 'series'][event](words);
}
