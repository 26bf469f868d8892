import type { Voice } from './voice.js';

const NUMERALS = ['', '一', '二', '三', '四'];

const month = (year: string, number: number): string => `${year}年${number}月`;
const referenceRate = (pair: string): string => `${pair}参考汇率`;

/** Simplified Chinese. */
export const zh: Voice = {
  tag: 'zh-Hans',
  dates: 'zh',
  clock: { timeZone: 'Asia/Shanghai', at: (moment) => `北京时间${moment}` },

  space: '',
  comma: '、',
  semicolon: '；',
  compared: '，',
  list: (items) => (items.length < 2 ? items.join('') : `${items.slice(0, -1).join('、')}和${items.at(-1) ?? ''}`),
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
    minus: '−',
    signFirst: false,
  },
  fullUnit: 'first',
  years: null,
  oneOfCurrency: 'amount',
  range: (lower, upper) => `${lower}—${upper}`,
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
    inDollars: (n, currency) => `1${currency}兑约${n}美元`,
  },
};
