// What an alert says when a figure crosses its threshold, in three languages.
import type { Condition } from '../../../figures/condition.js';
import { decimalsOf, percentChange } from '../../../figures/decimal.js';
import { withUnit, withUnitSaid } from '../../../figures/running-text.js';
import { UNITS, type UnitCode, type UnitDefinition } from '../../../figures/units.js';
import { inWholeUnits } from '../../../figures/whole-units.js';
import { formatNumber, formatPeriod, formatWhen, lowered, styleOf } from '../../../locale/format.js';
import { inAll, type Locale, type Localized } from '../../../locale/locale.js';
import en from '../../../locale/messages/en/alerts.json' with { type: 'json' };
import ja from '../../../locale/messages/ja/alerts.json' with { type: 'json' };
import zh from '../../../locale/messages/zh/alerts.json' with { type: 'json' };
import { compileMessages } from '../../derive/templates.js';
import type { Crossing } from './alerts.rule.js';

export interface AlertSubject {
  readonly name: Localized;
  /** Null of an instrument. */
  readonly region: Localized | null;
  readonly unit: UnitCode;
}

const TEMPLATES = compileMessages({ en, zh, ja });

export function crossingHeadline(subject: AlertSubject, condition: Condition, crossing: Crossing): Localized {
  return inAll((locale) => headlineIn(locale, subject, condition, crossing));
}

function headlineIn(
  locale: Locale,
  { name, region, unit }: AlertSubject,
  { metric, threshold }: Condition,
  { figure, previous }: Crossing,
): string {
  const definition: UnitDefinition = UNITS[unit];
  const before = metric === 'move_percent' ? (previous?.value ?? null) : null;
  const compared = metric === 'move_percent' ? before : threshold;
  // Running text counts in dollars, not in billions of them.
  const value = inWholeUnits(figure.value, definition);
  const other = compared === null ? null : inWholeUnits(compared, definition);
  const style = styleOf(other === null ? [value] : [value, other], definition.compact);
  const written = (one: string): string => formatNumber(locale, one, style);
  // The name of a currency pair says the unit.
  const pair = region === null && definition.dimension === 'exchange_rate';
  const beside = other === null ? '' : withUnitSaid(locale, definition, written(other));
  const percent = before === null ? '0' : (percentChange(before, figure.value) ?? '0');
  const said =
    metric !== 'move_percent'
      ? metric
      : percent.startsWith('-')
        ? ('move_down' as const)
        : ('move_up' as const);
  const words = {
    region: region?.[locale] ?? '',
    name: region === null ? name[locale] : lowered(locale, name[locale]),
    period: formatPeriod(locale, figure.period),
    when: formatWhen(locale, figure.period),
    value: pair ? written(value) : withUnit(locale, definition, written(value)),
    threshold: beside,
    previous: beside,
    // Never fewer decimals than the threshold has: what reaches 2.5 % must not read 3 %.
    percent: formatNumber(locale, percent.replace(/^-/, ''), {
      decimals: Math.max(1, decimalsOf(threshold)),
      compact: false,
    }),
  };
  return TEMPLATES[locale][region === null ? 'instrument' : 'series'][said](words);
}
