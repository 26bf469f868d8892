import type { Localized } from '../locale/locale.js';

/**
 * THE licence table: what a licence demands of everyone who shows or derives from its figures. Importers can name
 * only these licences; a source without redistribution is rejected. The sentences that a licence demands are its own
 * columns, so no source of it can be shown without them.
 */
export interface LicenceTerms {
  readonly name: Localized;
  readonly url: string;
  /** Figures must be shown with the name of their source. */
  readonly attributionRequired: boolean;
  /** The attribution must link the licence. */
  readonly linkRequired: boolean;
  /** The attribution names the day of retrieval, or the month of the newest publication. */
  readonly dated: 'day' | 'month' | null;
  /** The attribution says what was computed here. */
  readonly modificationStated: boolean;
  /** `meta.notices` shows this sentence. Words that the licence prescribes come first in every language. */
  readonly notice: Localized | null;
  /** This service may pass figures on. */
  readonly redistribution: boolean;
  /** Changes, signals and other figures may be derived from them. */
  readonly derivation: boolean;
  /** Derived data must have the same licence. */
  readonly shareAlike: boolean;
}

const OPEN = {
  ...{ attributionRequired: true, linkRequired: false, dated: null, modificationStated: false },
  ...{ notice: null, redistribution: true, derivation: true, shareAlike: false },
} as const satisfies Omit<LicenceTerms, 'name' | 'url'>;

/** Prescribed by e-Stat, to the letter. */
const ESTAT_SENTENCE =
  'このサービスは、政府統計総合窓口(e-Stat)のAPI機能を使用していますが、サービスの内容は国によって保証されたものではありません。';

export const LICENCES = {
  'cc-by-4.0': {
    ...OPEN,
    name: {
      en: 'Creative Commons Attribution 4.0 International',
      zh: '知识共享署名4.0国际许可协议（CC BY 4.0）',
      ja: 'クリエイティブ・コモンズ 表示 4.0 国際（CC BY 4.0）',
    },
    url: 'https://creativecommons.org/licenses/by/4.0/',
    linkRequired: true,
    modificationStated: true,
  },
  'cc0-1.0': {
    ...OPEN,
    name: {
      en: 'Creative Commons Zero 1.0 Universal',
      zh: 'CC0 1.0通用公共领域贡献',
      ja: 'CC0 1.0 全世界 パブリック・ドメイン提供',
    },
    url: 'https://creativecommons.org/publicdomain/zero/1.0/',
    attributionRequired: false,
  },
  'bis-terms': {
    ...OPEN,
    name: {
      en: 'Terms of use of the Bank for International Settlements',
      zh: '国际清算银行使用条款',
      ja: '国際決済銀行（BIS）利用規約',
    },
    url: 'https://www.bis.org/terms_conditions.htm',
    redistribution: false,
    derivation: false,
  },
  'us-public-domain': {
    ...OPEN,
    name: {
      en: 'Public domain (work of the United States Government)',
      zh: '美国政府作品，属公有领域',
      ja: '米国政府著作物（パブリックドメイン）',
    },
    url: 'https://www.usa.gov/government-copyright',
  },
  'bls-terms': {
    ...OPEN,
    name: {
      en: 'Public domain, with the terms of service of the BLS API',
      zh: '公有领域作品，适用美国劳工统计局（BLS）API服务条款',
      ja: 'パブリックドメイン（BLS APIの利用規約による）',
    },
    url: 'https://www.bls.gov/developers/termsOfService.htm',
    dated: 'day',
    notice: {
      en: 'BLS.gov cannot vouch for the data or analyses derived from these data after the data have been retrieved from BLS.gov.',
      zh: '数据自BLS.gov获取之后，BLS.gov无法对这些数据及由此得出的分析作出保证。',
      ja: 'BLS.govから取得された後のデータおよびそれに基づく分析について、BLS.govは保証することができません。',
    },
  },
  'eia-terms': {
    ...OPEN,
    name: {
      en: 'Public domain, with a dated credit to the EIA',
      zh: '公有领域作品，须注明美国能源信息署（EIA）及日期',
      ja: 'パブリックドメイン（EIAの出典と年月を明示）',
    },
    url: 'https://www.eia.gov/about/copyrights_reuse.php',
    dated: 'month',
  },
  'estat-terms': {
    ...OPEN,
    name: {
      en: 'Terms of use of the e-Stat API',
      zh: '日本政府统计综合窗口（e-Stat）API功能使用条款',
      ja: '政府統計の総合窓口（e-Stat）API機能利用規約',
    },
    url: 'https://www.e-stat.go.jp/api/terms-of-use',
    modificationStated: true,
    notice: {
      en: `${ESTAT_SENTENCE} (This service uses API functions of e-Stat, the portal site of official statistics of Japan; its contents are not guaranteed by the Japanese government.)`,
      zh: `${ESTAT_SENTENCE}（本服务使用了日本政府统计综合窗口e-Stat的API功能，但服务内容并未获得日本政府的保证。）`,
      ja: ESTAT_SENTENCE,
    },
  },
  'ecb-reuse': {
    ...OPEN,
    name: {
      en: 'ECB statistics: free reuse with the source quoted and changes stated',
      zh: '欧洲中央银行统计数据：可免费再利用，须注明来源并说明改动',
      ja: 'ECB統計：出典と加工の明示を条件に無償で再利用可',
    },
    url: 'https://www.ecb.europa.eu/services/using-our-site/disclaimer/html/index.en.html',
    modificationStated: true,
    notice: {
      en: "These data may be obtained free of charge from the ECB's website.",
      zh: '这些数据可从欧洲中央银行网站免费获取。',
      ja: 'これらのデータは、欧州中央銀行（ECB）のウェブサイトから無料で入手できます。',
    },
  },
} as const satisfies Record<string, LicenceTerms>;

export type LicenceId = keyof typeof LICENCES;

export function isLicenceId(value: string): value is LicenceId {
  return Object.hasOwn(LICENCES, value);
}
