// What a page says of the words of a query that name nothing.
import { normalizeText } from '../../../domain/search/normalize.js';
import { STOP_PHRASES } from './stop-words.rule.js';

/** A Latin word or one character of Han or kana. */
export interface SentenceUnit {
  readonly text: string;
  /** Whether it continues the word before it. */
  readonly joined: boolean;
  readonly cjk: boolean;
}

/** What stands between names in Chinese and Japanese. */
const PARTICLES = /^[的之和与跟及在是了のとはがをにでもやか、]+|[的之和与跟及在是了のとはがをにでもやか、]+$/gu;

/** Compares or measures what the other words name; by itself names something only beside none: Apple's price is not that of consumers. */
export const ASIDE: ReadonlySet<string> = new Set(
  `per capita ounce barrel fast faster high higher highest low lower lowest large larger largest big bigger biggest most least top
  best worst economy economies country countries price prices rate rates yield yields data figure figures chart history
  january february march april may june july august september october november december
  live lives people real 国家 人能活 一番高い国 一番低い国 市场 市場 国际 国際 いつ 经济 最高 最低 价格 数据 走势 收益率 利回り 価格 推移 データ 高い国 低い国 多い国 長い国`
    .trim()
    .split(/\s+/)
    .map(normalizeText),
);

/** Shares and their prices, of which companies are stored without. */
const SHARES = /股票|股[价價]|株価|株(?!式)/gu;

/** The words without those that compare or measure, if others are left. */
export function withoutAside(q: string): string {
  const words = q
    .replace(SHARES, ' ')
    .split(/\s+/)
    .filter((word) => !ASIDE.has(normalizeText(word)));
  return words.length === 0 ? q : words.join(' ');
}

/** Latin words and runs of other characters, as they stand in the query. */
export function unheardIn(q: string, units: readonly SentenceUnit[], unknown: readonly SentenceUnit[]): string[] {
  return runsOf(units, unknown)
    .flatMap((run) => run.split(STOP_PHRASES))
    .map((run) => run.replaceAll(PARTICLES, ''))
    .filter((run) => Array.from(run).length > 1 && !ASIDE.has(run) && !/^\d{1,2}$/.test(run))
    .map((run) => asWritten(q, run));
}

function runsOf(units: readonly SentenceUnit[], unknown: readonly SentenceUnit[]): string[] {
  const runs: string[] = [];
  let isOpen = false;
  for (const unit of units) {
    const isUnknown = unknown.includes(unit);
    if (isUnknown && isOpen && unit.joined) runs.push(`${runs.pop() ?? ''}${unit.text}`);
    else if (isUnknown) runs.push(unit.text);
    isOpen = isUnknown;
  }
  return runs;
}

/** 日銀, which is read as 日银. */
function asWritten(q: string, run: string): string {
  const characters = Array.from(q);
  const { length } = Array.from(run);
  const found = [...characters.keys()].map((at) => characters.slice(at, at + length).join(''));
  return found.find((text) => normalizeText(text) === run) ?? run;
}
