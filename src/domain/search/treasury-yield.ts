// A US Treasury yield by its maturity, in whatever words: 6-mo bill rate, 三个月国库券, 5年物米国債利回り, 13-week T-bill.
import { normalizeText } from './normalize.js';
import { pieces } from './words.js';

/** Each in years, months, or weeks, in which bills are sold. */
const MATURITY =
  /(?<!\d|\d )(\d{1,2}) ?(?:(y(?:ea)?rs?|y)|(m(?:on)?ths?|mos?|m)|(?:weeks?|wks?|周间?))(?![a-z])[期物]?/gu;
const OF_WEEKS = new Map(
  '4 1-month,8 2-month,13 3-month,17 4-month,26 6-month,52 1-year'.split(',').map((one) => {
    const [weeks = '', maturity = ''] = one.split(' ');
    return [weeks, maturity] as const;
  }),
);
/** Two maturities of which traders say the difference. */
const SLOPE = /(?<!\d)(\d{1,2})s(\d{1,2})s(?!\d)/gu;

/** A rate of one year alone may be anybody's. */
const SECURITY = new RegExp(
  `\\b(?:treasur(?:y|ies)|ust|t ?(?:bills?|notes?|bonds?)|bills?|notes?|bonds?)\\b|${normalizeText('国库券 国债 公债 美债 米债 短期证券 债券 债 tビル').replaceAll(' ', '|')}`,
  'gu',
);
const BESIDE = new RegExp(
  `\\b(?:us|u s|america|american|government|govt|par|constant|maturity|yields?|rates?|the|on|of)\\b|${normalizeText('利回り 收益率 殖利率 利率 金利 美国 米国 米 短期 的 の').replaceAll(' ', '|')}|\\s`,
  'gu',
);
/** What compares two of them. */
const SPREAD = new RegExp(
  `\\b(?:spread|slope|curve|inver(?:sion|ted)|minus|vs|and|difference)\\b|${normalizeText('利差 倒挂 曲线 逆イールド イールドカーブ カーブ スプレッド 利回り差 金利差 长短 长端 短端 端 减 マイナス と 与 和 差').replaceAll(' ', '|')}`,
  'gu',
);

/** Without maturities it is of ten years and two. */
const TERM_SPREAD = new RegExp(
  `^(?:us |${normalizeText('美国 米 米国').replaceAll(' ', '|')})?(?:term spread|(?:yield )?curve (?:slope|spread|inversion)|inverted yield curve|${normalizeText('长短期利差 长短端利差 期限利差 長短金利差 长短利差 倒挂 国债倒挂 美债倒挂 收益率倒挂 收益率曲线倒挂 利率倒挂 逆イールド').replaceAll(' ', '|')})$`,
  'u',
);

/** The name of the one yield that a text asks for and nothing else; else the text itself. */
export function withTreasuryNamed(q: string): string {
  const { maturities, rest } = maturitiesIn(q);
  const [only, ...others] = maturities;
  const isSecurity = rest.search(SECURITY) >= 0;
  const isAll = rest.replace(SECURITY, '').replace(BESIDE, '') === '';
  return only !== undefined && others.length === 0 && isSecurity && isAll ? nameOf(only) : q;
}

/** The keys of the longer and the shorter yield whose difference a text asks for: 2s10s, 10y-2y spread. */
export function treasurySpread(q: string): readonly [longer: string, shorter: string] | undefined {
  const { maturities, rest } = maturitiesIn(q);
  const [one, other, ...more] = maturities;
  if (TERM_SPREAD.test(normalizeText(q))) return ['us-par-yield-10y', 'us-par-yield-2y'];
  const isAll = rest.replace(SPREAD, '').replace(SECURITY, '').replace(BESIDE, '') === '';
  if (one === undefined || other === undefined || more.length > 0 || !isAll) return undefined;
  const keys = [one, other].toSorted((a, b) => monthsOf(b) - monthsOf(a)).map(keyOf);
  return [keys[0] ?? '', keys[1] ?? ''];
}

/** The maturities of a text in its order, as 10-year or 3-month, and its other words. */
function maturitiesIn(q: string) {
  const maturities: string[] = [];
  const rest = pieces(q)
    .map(({ text }) => text)
    .join(' ')
    .replace(SLOPE, '$1y $2y')
    .replace(MATURITY, (all: string, count: string, years?: string, months?: string) => {
      const unit = years === undefined ? 'month' : 'year';
      const maturity = (years ?? months) === undefined ? OF_WEEKS.get(count) : `${Number(count)}-${unit}`;
      if (maturity === undefined) return all;
      maturities.push(maturity);
      return ' ';
    });
  return { maturities, rest };
}

const nameOf = (maturity: string): string => `US Treasury ${maturity} par yield`;

const keyOf = (maturity: string): string => `us-par-yield-${maturity.replace(/-(.).*/, '$1')}`;

const monthsOf = (maturity: string): number => Number.parseInt(maturity, 10) * (maturity.endsWith('year') ? 12 : 1);
