// Words of a question other than the names that it asks about, in several languages.
import { normalizeText } from '../../../domain/search/normalize.js';

const wordsIn = (text: string): string[] => text.trim().split(/\s+/);

/** Function words, and the verbs and adverbs of asking. No code of a country, a currency or a tenor is among them. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  wordsIn(`
  a an and at by for from in of on or the to with as than about between during into over since under what
  whats which who when where why how much many is are was were be been do does did has have had can could
  should would will i me my we our you your its this that these those their there any please show tell
  give find get latest newest current currently recent recently today todays lately happened happening cik lei
  ticker`),
);

/** Longer phrases first: a shorter one may begin them. */
const PHRASES = wordsIn(`
  是多少 有多少 多少 是什么 什么 怎么样 怎么 怎样 如何 哪些 哪个 为什么 请问 有没有 是否 后来 目前 现在 最新 最近 当前 今天 什么时候 何时 告诉我 帮我 查询 吗 呢 了
  はどうなっていますか はどうなっている はどうですか はいくらですか はいくら はいつですか はいつ は何ですか は何 は何%ですか を教えてください を教えて について ください でしょうか ですか
  されましたか しましたか されたか ましたか その後 どのくらい どう 最新 直近 現在 今日 足元`)
  .map(normalizeText)
  .sort((a, b) => b.length - a.length);

export const STOP_PHRASES = new RegExp(`の?(?:${[...new Set(PHRASES)].join('|')})の?`, 'u');

/** Says that an earlier figure was changed. */
export const REVISION_WORDS = /\brevis(?:e[ds]?|ions?|ing)\b|\brestate|修正|修订|修訂|下修|上修|改定|改訂/giu;

/** Whether a word means every revision, up or down, in whatever words its headline states it. */
export const meansRevision = (word: string): boolean => word.search(REVISION_WORDS) === 0 && !/^[上下]/u.test(word);

/** Which way a policy rate moved, with the verb of its headlines. */
const RATE_MOVES: readonly (readonly [words: RegExp, verb: string])[] = [
  [/\bhik(?:e[sd]?|ing)\b|\b(?:rais|increas)(?:es?|ed|ing)\b(?=.*\brates?\b)|加息|升息|利上げ/iu, 'raises'],
  [
    /\brate (?:cuts?|reductions?)\b|\b(?:cut(?:s|ting)?|lower(?:s|ed|ing))\b(?=.*\brates?\b)|降息|[减減]息|利下げ/iu,
    'cuts',
  ],
];

/** The word of the headlines of moves of policy rates which a query asks for; undefined of other queries. */
export const verbOfRateMove = (q: string): string | undefined =>
  RATE_MOVES.find(([words]) => q.search(words) >= 0)?.[1];

/** Asks for all economies, and not for the world as one. */
export const EVERYWHERE =
  /\b(?:around the world|(?:by|in each|across|of all) countr(?:y|ies))\b|世界各[国國]|各[国國]|国别|國別|国別/giu;

/** Asks for a day of the calendar. */
export const MEETING =
  /\b(?:(?:next|upcoming|last) )?(?:meetings?|(?:release |decision )?dates?|schedule)\b|(?:下一?次|下回|次回|今後)(?:の|は)?(?:议息会议|会议|会合|公布时间|公布日期|公表日|発表日)?|次の(?=.*いつ)|议息会议|开会|公布时间|公布日期|公表日|発表日/giu;

/** Words for what a stored indicator is nearest to; for pages, whose titles say what it is. */
export const NEARBY: readonly (readonly [words: RegExp, name: string])[] = [
  [/\btrade (?:balance|deficit|surplus)\b|贸易(?:逆差|顺差|差额)|貿易(?:赤字|黒字|収支)/giu, ' current account '],
  [/\brecession\b|景気後退|经济衰退/giu, ' GDP growth '],
  [/\bhow (?:big|large) is\b(?=.*\beconomy\b)|\bsize of\b(?=.*\beconomy\b)/giu, ' GDP '],
  [/(?<![A-Za-z])M[23](?![A-Za-z\d])/gu, ' broad money '],
  [/\bnational debt\b|国の借金|借金|国债余额|国債残高/giu, ' government debt '],
];

/** Asks for an average of a daily price. */
export const AVERAGES: Readonly<Record<'weekly' | 'monthly', RegExp>> = {
  weekly: /\bweekly(?: average)?\b|每?周均价?|周平均|週(?:間)?平均/iu,
  monthly: /\bmonthly(?: average)?\b|每?月均价?|月平均|月間平均/iu,
};

/** A publisher that is called after an economy, which is not what the words ask about. */
export const PUBLISHER = /\bworld bank(?:['’]s)?|世界银行|世界銀行|世行/giu;

/** The GDP that a ratio is of, beside the name of what is compared with it: exports to GDP are not GDP. */
export const OF_GDP =
  /(?:\bto\b|\/|(?:%|\bper ?cent|\bpercentage|\bshare|\bproportion)(?:\s+of)?)\s*GDP\b(?!\s*(?:growth|per|deflator))(?:\s+ratio)?|占\s*GDP(?:\s*的)?(?:\s*(?:比重|比例|比率|百分比))?|(?:対\s*)?GDP\s*(?:比率?|に占める割合)/giu;
