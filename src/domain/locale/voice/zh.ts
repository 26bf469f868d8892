import alerts from '../messages/zh/alerts.json' with { type: 'json' };
import briefs from '../messages/zh/briefs.json' with { type: 'json' };
import changes from '../messages/zh/changes.json' with { type: 'json' };
import decisions from '../messages/zh/decisions.json' with { type: 'json' };
import measures from '../messages/zh/measures.json' with { type: 'json' };
import moves from '../messages/zh/moves.json' with { type: 'json' };
import resources from '../messages/zh/resources.json' with { type: 'json' };
import signals from '../messages/zh/signals.json' with { type: 'json' };
import sources from '../messages/zh/sources.json' with { type: 'json' };
import structures from '../messages/zh/structures.json' with { type: 'json' };
import verbs from '../messages/zh/verbs.json' with { type: 'json' };
import type { Voice } from './voice.js';

const NUMERALS = ['', '一', '二', '三', '四'];

const month = (year: string, number: number): string => `${year}年${number}月`;
const referenceRate = (pair: string): string => `${pair}参考汇率`;

/** Simplified Chinese. */
export const zh: Voice = {
  tag: 'zh-Hans',
  messages: { alerts, briefs, changes, decisions, measures, moves, resources, signals, sources, structures },
  verbs,
  clock: { timeZone: 'Asia/Shanghai', at: (moment) => `北京时间${moment}` },

  space: '',
  comma: '、',
  semicolon: '；',
  compared: '，',
  list: (items) =>
    items.length < 2 ? items.join('') : `${items.slice(0, -1).join('、')}和${items.at(-1) ?? ''}`,
  moves: (items) => items.join('；'),
  sentences: (clauses) => `${clauses.join('；')}。`,
  bracketed: (text, note) => `${text}（${note}）`,
  count: String,

  number: {
    scales: [
      [12, '万亿'],
      [8, '亿'],
      [4, '万'],
    ],
    myriads: null,
    compactFrom: 5,
    mostDecimals: 4,
    grouped: false,
    minus: '-',
    signFirst: false,
  },
  fullUnit: 'first',
  years: null,
  percentagePoints: (n) => `${n}个百分点`,
  basisPoints: (_, basis) => `${basis}个基点`,
  yieldsInBasisPoints: true,
  about: (percent) => `约${percent}`,

  period: {
    fiscalYear: (year) => `${year}财年`,
    year: (year) => `${year}年`,
    half: (year, half) => `${year}年${half === 1 ? '上' : '下'}半年`,
    quarter: (year, quarter) => `${year}年第${NUMERALS[quarter] ?? ''}季度`,
    month,
    week: (year, week) => `${year}年第${week}周`,
    day: (year, number, day) => `${month(year, number)}${day}日`,
    yearIn: (year) => `${year}年`,
    when: (name) => name,
    of: (day) => day,
  },

  lowered: (name) => name,
  articled: (name) => name,
  shareOfGdp: (name) => name,
  place: (_, name) => name,
  owner: ({ name }) => name,
  holder: (currency, region, shared) => (shared ? `${region}：${currency}` : currency),
  shrinksBelowZero: false,
  step: (percent, { past }) => `${past}${percent}`,
  turned: 'past',
  revisedOf: (region, isNamed) => (isNamed ? '' : region),
  sidedRevision: true,

  market: {
    euro: '欧元',
    referenceRate,
    euroRate: '',
    named: (name) => name,
    against: null,
    unitless: false,
    rateInSummary: false,
    rateInTitle: true,
  },
};
