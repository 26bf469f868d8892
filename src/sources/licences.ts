/**
 * THE licence table: what a licence demands of everyone who shows or derives from its figures. Importers can name
 * only these licences; a source without redistribution is rejected.
 */
export interface LicenceTerms {
  readonly name: string;
  readonly url: string;
  /** Figures must be shown with the name of their source. */
  readonly attributionRequired: boolean;
  /** The attribution must link the licence. */
  readonly linkRequired: boolean;
  /** `meta.notices` must show the publisher's sentence. */
  readonly noticeRequired: boolean;
  /** This service may pass figures on. */
  readonly redistribution: boolean;
  /** Changes, signals and other figures may be derived from them. */
  readonly derivation: boolean;
  /** Derived data must have the same licence. */
  readonly shareAlike: boolean;
}

export const LICENCES = {
  'cc-by-4.0': {
    name: 'Creative Commons Attribution 4.0 International',
    url: 'https://creativecommons.org/licenses/by/4.0/',
    attributionRequired: true,
    linkRequired: true,
    noticeRequired: false,
    redistribution: true,
    derivation: true,
    shareAlike: false,
  },
  'cc0-1.0': {
    name: 'Creative Commons Zero 1.0 Universal',
    url: 'https://creativecommons.org/publicdomain/zero/1.0/',
    attributionRequired: false,
    linkRequired: false,
    noticeRequired: false,
    redistribution: true,
    derivation: true,
    shareAlike: false,
  },
  'bis-terms': {
    name: 'Terms of use of the Bank for International Settlements',
    url: 'https://www.bis.org/terms_conditions.htm',
    attributionRequired: true,
    linkRequired: false,
    noticeRequired: false,
    redistribution: false,
    derivation: false,
    shareAlike: false,
  },
  'us-public-domain': {
    name: 'Public domain (work of the United States Government)',
    url: 'https://www.usa.gov/government-copyright',
    attributionRequired: true,
    linkRequired: false,
    noticeRequired: false,
    redistribution: true,
    derivation: true,
    shareAlike: false,
  },
  'estat-terms': {
    name: 'Terms of use of the e-Stat API',
    url: 'https://www.e-stat.go.jp/api/terms-of-use',
    attributionRequired: true,
    linkRequired: false,
    noticeRequired: true,
    redistribution: true,
    derivation: true,
    shareAlike: false,
  },
  'ecb-reuse': {
    name: 'ECB statistics: free reuse with the source quoted and the figures not modified',
    url: 'https://www.ecb.europa.eu/services/using-our-site/disclaimer/html/index.en.html',
    attributionRequired: true,
    linkRequired: false,
    noticeRequired: false,
    redistribution: true,
    derivation: true,
    shareAlike: false,
  },
} as const satisfies Record<string, LicenceTerms>;

export type LicenceId = keyof typeof LICENCES;

export function isLicenceId(value: string): value is LicenceId {
  return Object.hasOwn(LICENCES, value);
}
