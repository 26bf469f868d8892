import type { Voice } from './voice.js';

const month = (year: string, number: number): string => `${year}年${number}月`;

export const ja: Voice = {
  tag: 'ja',
  dates: 'ja',
  clock: { timeZone: 'Asia/Tokyo', at: (moment) => `日本時間${moment}` },

  space: '',
  comma: '、',
  semicolon: '；',
  compared: '、',
  list: (items) => items.join('、'),
  moves: (items) => items.join('、'),
  sentences: (clauses) => clauses.map((clause) => `${clause}。`).join(''),
  bracketed: (text, note) => `${text}（${note}）`,
  count: String,

  number: {
    scales: [
      [12, '兆'],
      [8, '億'],
      [4, '万'],
    ],
    myriads: ['', '万', '億', '兆', '京'],
    compactFrom: 5,
    mostDecimals: Infinity,
    grouped: false,
    minus: 'マイナス',
    signFirst: false,
  },
  fullUnit: 'first',
  // 歳 counts from birth.
  years: (n) => `${n}年`,
  oneOfCurrency: 'amount',
  range: (lower, upper) => `${lower.replace('%', '')}～${upper}`,
  percentagePoints: (n) => `${n}ポイント`,
  basisPoints: (points) => `${points}%`,
  yieldsInBasisPoints: false,
  about: (percent) => `約${percent}`,

  period: {
    fiscalYear: (year) => `${year}年度`,
    year: (year) => `${year}年`,
    half: (year, half) => `${year}年${half === 1 ? '上' : '下'}半期`,
    quarter: (year, quarter) => `${year}年${quarter * 3 - 2}～${quarter * 3}月期`,
    month,
    week: (year, week) => `${year}年第${week}週`,
    day: (year, number, day) => `${month(year, number)}${day}日`,
    yearIn: (year) => `${year}年`,
    when: (name) => name,
    of: (day) => (day === '' ? '' : `${day}の`),
  },

  lowered: (name) => name,
  articled: (name) => name,
  shareOfGdp: (name) => name,
  place: (_, name) => name,
  owner: ({ name }) => name,
  holder: (currency, region, shared) => (shared ? `${region}：${currency}` : currency),
  shrinksBelowZero: true,
  // 「6.0%増」「6.0%減」。
  step: (percent, { noun }) => (/^[増減]/.test(noun) ? `${percent}${noun.slice(0, 1)}` : `${percent}の${noun}`),
  turned: 'noun',
  revisedOf: (region, isNamed) => (isNamed ? '' : `${region}の`),
  sidedRevision: false,

  market: {
    euro: 'ユーロ',
    referenceRate: (_, currency) => `ユーロの対${currency}参照レート`,
    euroRate: 'ユーロの参照レート',
    named: (name) => name,
    against: (size, currency) => `対${currency}で${size}`,
    unitless: false,
    rateInSummary: true,
    rateInTitle: false,
    inDollars: (n, currency) => `1${currency}＝約${n}ドル`,
  },
};
