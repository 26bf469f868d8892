import type { Receipt } from '../../serve/resources/receipts/receipt.schema.js';
import { cellText, columnDecimals } from './shown-figure.js';
import { formatDay, formatPeriod } from '../../domain/locale/format.js';
import type { Locale } from '../../domain/locale/locale.js';
import { decimalsOf } from '../../domain/figures/decimal.js';

/** The number of rows on a page; the receipt in the API has all. */
const SHOWN = 12;

/** A receipt for its template: the compared figures first, then the newest evidence. */
export function receiptView({ rule, inputs, relations, unit }: Receipt, path: string, locale: Locale) {
  const compared = inputs.filter(({ role }) => role !== 'evidence');
  const evidence = inputs.filter(({ role }) => role === 'evidence');
  const shown = [...compared.toReversed(), ...evidence.toReversed()].slice(0, SHOWN);
  const decimals =
    unit === null
      ? undefined
      : columnDecimals(shown.map(({ value, printed }) => ({ value, decimals: decimalsOf(printed), unit: unit.code })));
  const several = new Set(inputs.map(({ series }) => series)).size > 1;
  return {
    statement: rule.statement,
    unit: unit?.label ?? null,
    count: inputs.length,
    rows: shown.map(({ role, series, period, value, printed, knownSince }) => ({
      role,
      period: formatPeriod(locale, period) + (several ? ` · ${series}` : ''),
      value: cellText(locale, { value, decimals: decimalsOf(printed) }, decimals),
      knownSince: formatDay(locale, knownSince),
    })),
    omitted: inputs.length > SHOWN ? SHOWN : null,
    relations: relations.map(({ child, parent, statedSince, statedUntil }) => ({
      child: child.name,
      parent: parent.name,
      since: formatDay(locale, statedSince),
      until: statedUntil === null ? null : formatDay(locale, statedUntil),
    })),
    json: `${path}/receipt.json`,
  };
}
