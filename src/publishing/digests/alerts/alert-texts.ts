// What an alert says when a figure crosses its threshold, in three languages.
import type { Condition } from '../../../figures/condition.js';
import { decimalsOf, percentChange } from '../../../figures/decimal.js';
import { UNITS, type UnitCode, type UnitDefinition } from '../../../figures/units.js';
import { formatNumber, formatPeriod, formatWhen, styleOf } from '../../../locale/format.js';
import { LOCALES, type Locale, type Localized } from '../../../locale/locale.js';
import en from '../../../locale/messages/en/alerts.json' with { type: 'json' };
import ja from '../../../locale/messages/ja/alerts.json' with { type: 'json' };
import zh from '../../../locale/messages/zh/alerts.json' with { type: 'json' };
import { compileTemplate } from '../../derive/templates.js';
import type { Crossing } from './alerts.rule.js';

export interface AlertSubject {
  readonly name: Localized;
  /** Null of an instrument. */
  readonly region: Localized | null;
  readonly unit: UnitCode;
}

const MESSAGES: Readonly<Record<Locale, typeof en>> = { en, zh, ja };

export function crossingHeadline(subject: AlertSubject, condition: Condition, crossing: Crossing): Localized {
  const [english = '', chinese = '', japanese = ''] = LOCALES.map((locale) =>
    headlineIn(locale, subject, condition, crossing),
  );
  return { en: english, zh: chinese, ja: japanese };
}

function headlineIn(
  locale: Locale,
  { name, region, unit }: AlertSubject,
  { metric, threshold }: Condition,
  { figure, previous }: Crossing,
): string {
  const { display, compact }: UnitDefinition = UNITS[unit];
  const before = metric === 'move_percent' ? (previous?.value ?? null) : null;
  const style = styleOf(
    [figure.value, before ?? (metric === 'move_percent' ? figure.value : threshold)],
    compact,
  );
  const shown = (value: string): string => display[locale].replace('{n}', formatNumber(locale, value, style));
  const percent = before === null ? '0' : (percentChange(before, figure.value) ?? '0');
  const said =
    metric !== 'move_percent'
      ? metric
      : percent.startsWith('-')
        ? ('move_down' as const)
        : ('move_up' as const);
  const words = {
    region: region?.[locale] ?? '',
    name: name[locale],
    period: formatPeriod(locale, figure.period),
    when: formatWhen(locale, figure.period),
    value: shown(figure.value),
    threshold: metric === 'move_percent' ? '' : shown(threshold),
    previous: before === null ? '' : shown(before),
    // Never fewer decimals than the threshold has: what reaches 2.5 % must not read 3 %.
    percent: formatNumber(locale, percent.replace(/^-/, ''), {
      decimals: Math.max(1, decimalsOf(threshold)),
      compact: false,
    }),
  };
  return compileTemplate(MESSAGES[locale][region === null ? 'instrument' : 'series'][said])(words);
}
