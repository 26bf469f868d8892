// The unit table: what each unit is, and how a person writes a number in it.
import type { Locale, Localized } from '../locale/locale.js';
import type { Precision } from './written-number.js';

export type Dimension = 'ratio' | 'money' | 'count' | 'time' | 'index' | 'exchange_rate';

/** A unit and how texts write a number in it. */
export interface UnitDefinition {
  readonly dimension: Dimension;
  /** ISO 4217; null if the unit is not money. */
  readonly currency: string | null;
  /** Power of ten of the printed number: 6 for millions. */
  readonly scale: number;
  /** What one unit is counted per (`person`, `USD`), or null. */
  readonly per: string | null;
  /** The unit's name, for column heads and legends. */
  readonly label: Localized;
  /** The name where the currency of an exchange rate is known: `{currency}` is its name. */
  readonly labelWith?: Localized;
  /** A number with the unit, in running text: `{n}` is the number, `{currency}` the currency of an exchange rate. */
  readonly display: Localized;
  /** The same beside a number that has named the unit in full; as `display` where it is left out. */
  readonly beside?: Localized;
  readonly precision: Precision;
}

const precision = (most: number, least = 0, compact = false): Precision => ({ least, most, compact });
/** To the last digit that the source prints. */
const AS_PRINTED = precision(15);

/**
 * What a series' own name already says (per person, of the labour force, and in Chinese and Japanese of GDP) is in
 * the label only, so that a headline does not say it twice.
 */
export const UNITS = {
  percent: {
    dimension: 'ratio',
    currency: null,
    scale: 0,
    per: null,
    label: { en: 'Percent', zh: '百分比', ja: '%' },
    display: { en: '{n}%', zh: '{n}%', ja: '{n}%' },
    precision: precision(2),
  },
  percent_of_gdp: {
    dimension: 'ratio',
    currency: null,
    scale: 0,
    per: 'gdp',
    label: { en: 'Percent of GDP', zh: '占GDP的百分比', ja: '対GDP比（%）' },
    display: { en: '{n}% of GDP', zh: '{n}%', ja: '{n}%' },
    beside: { en: '{n}%', zh: '{n}%', ja: '{n}%' },
    precision: precision(2),
  },
  percent_of_labour_force: {
    dimension: 'ratio',
    currency: null,
    scale: 0,
    per: 'labour_force',
    label: { en: 'Percent of labour force', zh: '占劳动力的百分比', ja: '対労働力人口比（%）' },
    display: { en: '{n}%', zh: '{n}%', ja: '{n}%' },
    precision: precision(2),
  },
  usd: {
    dimension: 'money',
    currency: 'USD',
    scale: 0,
    per: null,
    label: { en: 'US dollars', zh: '美元', ja: '米ドル' },
    display: { en: '${n}', zh: '{n}美元', ja: '{n}ドル' },
    precision: precision(0, 0, true),
  },
  usd_per_person: {
    dimension: 'money',
    currency: 'USD',
    scale: 0,
    per: 'person',
    label: { en: 'US dollars per person', zh: '美元/人', ja: '米ドル（1人当たり）' },
    display: { en: '${n}', zh: '{n}美元', ja: '{n}ドル' },
    precision: precision(0),
  },
  /** Purchasing-power dollars, for which ISO 4217 has no code. */
  intl_dollar_per_person: {
    dimension: 'money',
    currency: null,
    scale: 0,
    per: 'person',
    label: {
      en: 'International dollars (PPP) per person',
      zh: '国际元/人（购买力平价）',
      ja: '国際ドル（1人当たり、購買力平価）',
    },
    display: { en: '{n} international dollars', zh: '{n}国际元', ja: '{n}国際ドル' },
    beside: { en: '{n}', zh: '{n}国际元', ja: '{n}国際ドル' },
    precision: precision(0),
  },
  person: {
    dimension: 'count',
    currency: null,
    scale: 0,
    per: null,
    label: { en: 'People', zh: '人', ja: '人' },
    display: { en: '{n} people', zh: '{n}人', ja: '{n}人' },
    beside: { en: '{n}', zh: '{n}人', ja: '{n}人' },
    precision: precision(0, 0, true),
  },
  /** Years of life. Maturities in years need another unit: Chinese counts the two with different words. */
  year: {
    dimension: 'time',
    currency: null,
    scale: 0,
    per: null,
    label: { en: 'Years', zh: '岁', ja: '歳' },
    display: { en: '{n} years', zh: '{n}岁', ja: '{n}歳' },
    beside: { en: '{n}', zh: '{n}岁', ja: '{n}歳' },
    precision: precision(2),
  },
  /** Local currency differs by region, so it has no single ISO 4217 code. */
  lcu_per_usd: {
    dimension: 'exchange_rate',
    currency: null,
    scale: 0,
    per: 'USD',
    label: { en: 'Local currency per US dollar', zh: '本币单位/美元', ja: '現地通貨単位／米ドル' },
    labelWith: { en: '{currency} per US dollar', zh: '{currency}/美元', ja: '{currency}／米ドル' },
    display: { en: '{n} {currency} per US dollar', zh: '1美元兑{n}{currency}', ja: '1ドル＝{n}{currency}' },
    beside: { en: '{n}', zh: '{n}{currency}', ja: '{n}{currency}' },
    precision: precision(2),
  },
  /** The currency is a property of the instrument, not of the unit. */
  currency_per_eur: {
    dimension: 'exchange_rate',
    currency: null,
    scale: 0,
    per: 'EUR',
    label: { en: 'Currency per euro', zh: '各国货币/欧元', ja: '各国通貨／ユーロ' },
    labelWith: { en: '{currency} per euro', zh: '{currency}/欧元', ja: '{currency}／ユーロ' },
    display: { en: '{n} {currency} per euro', zh: '1欧元兑{n}{currency}', ja: '1ユーロ＝{n}{currency}' },
    beside: { en: '{n}', zh: '{n}{currency}', ja: '{n}{currency}' },
    precision: AS_PRINTED,
  },
  usd_per_barrel: {
    dimension: 'money',
    currency: 'USD',
    scale: 0,
    per: 'barrel',
    label: { en: 'US dollars per barrel', zh: '美元/桶', ja: '米ドル／バレル' },
    display: { en: '${n} a barrel', zh: '每桶{n}美元', ja: '1バレル{n}ドル' },
    beside: { en: '${n}', zh: '{n}美元', ja: '{n}ドル' },
    precision: precision(2, 2),
  },
  usd_per_mmbtu: {
    dimension: 'money',
    currency: 'USD',
    scale: 0,
    per: 'mmbtu',
    label: { en: 'US dollars per million Btu', zh: '美元/百万英热单位', ja: '米ドル／100万BTU' },
    display: { en: '${n} per million Btu', zh: '每百万英热单位{n}美元', ja: '100万BTU当たり{n}ドル' },
    beside: { en: '${n}', zh: '{n}美元', ja: '{n}ドル' },
    precision: precision(2, 2),
  },
  usd_per_troy_ounce: {
    dimension: 'money',
    currency: 'USD',
    scale: 0,
    per: 'troy_ounce',
    label: { en: 'US dollars per troy ounce', zh: '美元/金衡盎司', ja: '米ドル／トロイオンス' },
    display: { en: '${n} a troy ounce', zh: '每金衡盎司{n}美元', ja: '1トロイオンス{n}ドル' },
    beside: { en: '${n}', zh: '{n}美元', ja: '{n}ドル' },
    precision: precision(2, 2),
  },
  usd_billions: {
    dimension: 'money',
    currency: 'USD',
    scale: 9,
    per: null,
    label: { en: 'Billions of US dollars', zh: '十亿美元', ja: '10億米ドル' },
    display: { en: '${n}', zh: '{n}美元', ja: '{n}ドル' },
    precision: precision(0, 0, true),
  },
  jpy_thousands: {
    dimension: 'money',
    currency: 'JPY',
    scale: 3,
    per: null,
    label: { en: 'Thousands of yen', zh: '千日元', ja: '千円' },
    display: { en: '{n} yen', zh: '{n}日元', ja: '{n}円' },
    beside: { en: '{n}', zh: '{n}日元', ja: '{n}円' },
    precision: precision(0, 0, true),
  },
  index_1982_84_100: {
    dimension: 'index',
    currency: null,
    scale: 0,
    per: null,
    label: {
      en: 'Index (1982–84 = 100)',
      zh: '指数（1982—1984年=100）',
      ja: '指数（1982～84年＝100）',
    },
    display: { en: '{n}', zh: '{n}', ja: '{n}' },
    precision: precision(3),
  },
} as const satisfies Record<string, UnitDefinition>;

export type UnitCode = keyof typeof UNITS;

/** What the difference of two percentages is counted in. */
export const PERCENTAGE_POINTS: Readonly<Record<Locale, (n: string) => string>> = {
  en: (n) => `${n} percentage point${Number(n) === 1 ? '' : 's'}`,
  zh: (n) => `${n}个百分点`,
  ja: (n) => `${n}ポイント`,
};

/** Hundredths of a percentage point, as central banks and markets count. Japanese counts in percent. */
export const BASIS_POINTS: Readonly<Record<Locale, (points: string, basis: string) => string>> = {
  en: (_, basis) => `${basis} basis point${basis === '1' ? '' : 's'}`,
  zh: (_, basis) => `${basis}个基点`,
  ja: (points) => `${points}%`,
};
