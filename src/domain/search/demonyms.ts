// What people put before an indicator in place of an economy's name: adjectives in English (“German GDP”), one character in
// headlines (米CPI, 美CPI). CLDR has none; those of several economies (Congolese, Dominican) are left out.
import { keyOfWords } from './names.js';
import { normalizeText } from './normalize.js';
import { pieces } from './words.js';

/** Each after the ISO 3166 code of its economy. */
const DEMONYMS = `
  AE Emirati, AF Afghan, AL Albanian, AM Armenian, AO Angolan, AR Argentine, AR Argentinian, AT Austrian,
  AU Australian, AU Aussie, AZ Azerbaijani, BA Bosnian, BD Bangladeshi, BE Belgian, BG Bulgarian, BH Bahraini,
  BO Bolivian, BR Brazilian, BW Botswanan, BY Belarusian, CA Canadian, CH Swiss, CI Ivorian, CL Chilean,
  CM Cameroonian, CN Chinese, CO Colombian, CR Costa Rican, CU Cuban, CY Cypriot, CZ Czech, DE German,
  DK Danish, DZ Algerian, EC Ecuadorian, EE Estonian, EG Egyptian, ES Spanish, ET Ethiopian, FI Finnish,
  FJ Fijian, FR French, GB British, GE Georgian, GH Ghanaian, GR Greek, GT Guatemalan, HN Honduran,
  HR Croatian, HT Haitian, HU Hungarian, ID Indonesian, IE Irish, IL Israeli, IN Indian, IQ Iraqi,
  IR Iranian, IS Icelandic, IT Italian, JM Jamaican, JO Jordanian, JP Japanese, KE Kenyan, KG Kyrgyz,
  KH Cambodian, KP North Korean, KR Korean, KR South Korean, KW Kuwaiti, KZ Kazakh, LA Laotian,
  LB Lebanese, LK Sri Lankan, LR Liberian, LT Lithuanian, LU Luxembourgish, LV Latvian, LY Libyan,
  MA Moroccan, MD Moldovan, ME Montenegrin, MK Macedonian, MM Burmese, MN Mongolian, MT Maltese,
  MU Mauritian, MX Mexican, MY Malaysian, MZ Mozambican, NA Namibian, NG Nigerian, NI Nicaraguan, NL Dutch, NZ Kiwi,
  NO Norwegian, NP Nepalese, NP Nepali, OM Omani, PA Panamanian, PE Peruvian, PH Philippine, PH Filipino,
  PK Pakistani, PL Polish, PR Puerto Rican, PS Palestinian, PT Portuguese, PY Paraguayan, QA Qatari,
  RO Romanian, RS Serbian, RU Russian, RW Rwandan, SA Saudi Arabian, SE Swedish, SG Singaporean,
  SI Slovenian, SI Slovene, SK Slovak, SN Senegalese, SO Somali, SV Salvadoran, SY Syrian, TH Thai,
  TN Tunisian, TR Turkish, TW Taiwanese, TZ Tanzanian, UA Ukrainian, UG Ugandan, US American, UY Uruguayan,
  UZ Uzbek, VE Venezuelan, VN Vietnamese, YE Yemeni, ZA South African, ZM Zambian, ZW Zimbabwean`;

const CODES = new Map(
  DEMONYMS.trim()
    .split(/,\s*/)
    .map((one) => [keyOfWords(pieces(one.slice(3)).map(({ text }) => text)), one.slice(0, 2)]),
);

/** The economy whose adjective has this key; undefined if none has. */
export const codeOfDemonym = (key: string): string | undefined => CODES.get(key);

const HEADLINE_CODES = new Map(
  'US米美 JP日 GB英 DE独德 FR仏法 CN中 KR韓 CA加 AU豪澳 IN印 RU露俄 IT伊 EMU欧'.split(' ').flatMap((one) => {
    const [, code = '', characters = ''] = /^([A-Z]+)(.+)$/u.exec(one) ?? [];
    return Array.from(characters).map((character) => [normalizeText(character), code] as const);
  }),
);

/** The economy that headlines write with this character. */
export const codeOfHeadline = (character: string): string | undefined => HEADLINE_CODES.get(character);

/** The economy whose adjective or character in headlines a text is: Dutch, 米. */
export function codeOfAdjective(text: string): string | undefined {
  const wanted = normalizeText(text);
  return codeOfHeadline(wanted) ?? codeOfDemonym(keyOfWords(pieces(wanted).map((piece) => piece.text)));
}
