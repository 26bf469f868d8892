import type { Addresses } from '../../answers/addresses.service.js';
import type { Read } from '../../database/snapshots.js';
import { difference, percentChange } from '../../figures/decimal.js';
import { figure, numberOf } from '../../figures/figure.js';
import type { Figure } from '../../figures/figure.schema.js';
import { UNITS } from '../../figures/units.js';
import type { Locale } from '../../locale/locale.js';
import type { Citations } from '../../sources/citations.js';
import { CLOSES, type CloseRow } from './brief-rows.js';
import type { Brief } from './brief.schema.js';
import { HEADLINE_INSTRUMENTS } from './headline-instruments.js';

const A_WEEK = 7 * 86_400_000;

/** How the headline instruments stood at the end of a day, as far as that was known then. */
export async function marketsOn(
  day: string,
  read: Read,
  cite: Citations,
  addresses: Addresses,
  locale: Locale,
): Promise<Brief['markets']> {
  const rows = await read<CloseRow>(CLOSES, [day, HEADLINE_INSTRUMENTS]);
  return rows.flatMap((last, index) => {
    const before = rows[index + 1];
    // The newest of an instrument, with the one before it: a lone close has nothing to be compared with.
    if (rows[index - 1]?.key === last.key || before?.key !== last.key) return [];
    if (Date.parse(day) - Date.parse(last.period) > A_WEEK) return [];
    const ratio = UNITS[last.unit].dimension === 'ratio';
    const percent = ratio ? null : percentChange(before.value, last.value);
    return [
      {
        key: last.key,
        url: addresses.of('markets', last.key),
        name: last.name[locale],
        kind: last.kind,
        last: close(last, cite),
        previous: close(before, cite),
        change: numberOf(difference(last.value, before.value)),
        changePercent: numberOf(percent),
      },
    ];
  });
}

function close({ value, unit, period, source, origins, knownSince }: CloseRow, cite: Citations): Figure {
  return figure(cite, { value, missing: null, unit, period, source, origins, knownSince });
}
