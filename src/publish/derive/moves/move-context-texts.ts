// The sentence on what stands out about a move.
import { percentChange, unsigned } from '../../../domain/figures/decimal.js';
import { writeFigures } from '../../../domain/figures/figure-text.js';
import { formatPeriod, formatWhen, formatWhenBeside } from '../../../domain/locale/format.js';
import { frequencyOf } from '../../../domain/figures/periods.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { SENTENCES } from '../../../domain/locale/voice/voices.js';
import { contextText } from '../context-texts.js';
import type { FigureContext } from '../context.rule.js';
import { moveSize, stepText, twoDecimals, type MoveFacts } from './move-sizes.js';

export function moveContextText(locale: Locale, facts: MoveFacts, context: FigureContext): string {
  const { unit, currency, move } = facts;
  const { kind, of, side, since, value } = context;
  const templates = SENTENCES[locale].moves;
  const way = move.step < 0 ? 'down' : 'up';
  const { period } = move.actual;
  const monthly = frequencyOf(period) === 'M';
  const noun = templates.nouns[move.measure][way]({});
  const verbs = SENTENCES[locale].signals.words[move.measure === 'rate' ? 'rate' : 'price'];
  if (of === 'step' && kind !== 'swing') {
    const [forms, dated] = kind === 'record' ? [templates.ever, formatWhen] : [templates.largest, formatPeriod];
    return forms[monthly ? 'month' : 'day']({ noun, since: dated(locale, since) });
  }
  const before = formatWhenBeside(locale, since, period);
  if (kind === 'swing') {
    const swing = templates.swing[move.measure === 'rate' ? 'rate' : 'price'];
    const size = stepText(locale, unit, move.measure, unsigned(value));
    return swing[side === 'high' ? 'up' : 'down']({ before, size });
  }
  if (kind === 'distance' && side !== null) {
    if (since === move.previous.period) return templates.peak[side]({ before });
    const [actual, previous] = [move.actual.value, value];
    const percent = move.measure === 'share' ? percentChange(previous, actual) : null;
    return templates.distance[side]({
      when: before,
      // The unit stands beside the price of the move, whose decimals it has.
      mark: writeFigures(locale, { unit, currency }, [value, actual].map(twoDecimals(unit))).beside[0] ?? '',
      size: moveSize(locale, { unit, currency, actual, previous, percent }),
    });
  }
  return contextText(
    locale,
    context,
    { unit, currency, period },
    { noun: verbs[way].noun({}), past: verbs[way].past({}) },
  );
}
