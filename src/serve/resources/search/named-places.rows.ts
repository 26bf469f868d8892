// Pages beside the items of the search: topics, the publishers of the sources, the calendar, the newest brief.
import { keyOfWords } from '../../../domain/search/names.js';
import { pieces } from '../../../domain/search/words.js';
import type { Localized } from '../../../domain/locale/locale.js';
import type { Read } from '../../../store/snapshots.js';
import { searchTermsOf } from './search-terms.rule.js';

export interface NamedPlace {
  readonly type: 'topic' | 'source' | 'calendar' | 'brief';
  readonly path: string;
  /** Null: as its page is called. */
  readonly title: Localized | null;
}

const PLACES = `
  SELECT 'topic' AS type, '/topics/' || t.slug AS path, t.name AS title FROM topics t
  UNION ALL
  SELECT 'source', '/sources', p.publisher FROM sources p
  WHERE EXISTS (SELECT FROM series s WHERE s.source_id = p.id OR p.id = ANY (s.origins))
    OR EXISTS (SELECT FROM entities e WHERE e.source_id = p.id)`;

/** What people call publishers and topics beside their names, by the English one. */
export const SHORT_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'European Central Bank': ['ECB', '欧洲央行', '欧央行', '欧州中銀'],
    'International Monetary Fund': ['IMF'],
    'U.S. Bureau of Labor Statistics': ['BLS', 'Bureau of Labor Statistics'],
    'U.S. Bureau of Economic Analysis': ['BEA', 'Bureau of Economic Analysis'],
    'U.S. Energy Information Administration': ['EIA'],
    'U.S. Department of the Treasury': ['US Treasury', 'Treasury Department', '美国财政部', '米財務省'],
    'U.S. Securities and Exchange Commission (SEC)': ['美国证监会', '米証券取引委員会'],
    'Government bond yields': ['bond yields', '债券收益率', '債券利回り'],
    Inflation: ['通胀', '通膨', 'CPI', 'prices', '物价', '物価', '消費者物価'],
    'Foreign trade': ['外贸', '对外经贸'],
    'Precious metals': ['metals', '金属'],
    'World Bank': ['世行', '世銀', 'WDI'],
  }),
);

export const CALENDAR: NamedPlace = { type: 'calendar', path: '/calendar', title: null };

const PAGES: readonly (NamedPlace & { readonly names: readonly string[] })[] = [
  {
    ...CALENDAR,
    names:
      'calendar|release calendar|economic calendar|data calendar|日历|发布日历|数据发布日历|财经日历|经济日历|カレンダー|公表予定|発表予定|経済カレンダー|指標カレンダー|経済指標カレンダー'.split(
        '|',
      ),
  },
  {
    type: 'brief',
    path: '/briefs/latest',
    title: null,
    names:
      'brief|daily brief|market brief|daily market brief|morning brief|briefs|news|简报|每日简报|ブリーフ|日報'.split(
        '|',
      ),
  },
  {
    type: 'source',
    path: '/sources',
    title: null,
    names: 'sources|data sources|publishers|licences|来源|数据来源|出典|データの出典'.split('|'),
  },
];

/** The pages that bear the query as a name, whole or without its words of asking. */
export async function placesNamed(read: Read, q: string): Promise<NamedPlace[]> {
  const keys = [keyOf(q), keyOfWords(searchTermsOf(q).terms.map(({ text }) => text))];
  const rows = await read<NamedPlace & { readonly title: Localized }>(PLACES);
  const stored = rows.map((row) => ({
    ...row,
    names: [...Object.values(row.title).flatMap(bothOf), ...(SHORT_NAMES.get(row.title.en) ?? [])],
  }));
  const found = [...stored, ...PAGES].filter(({ names }) => names.some((name) => keys.includes(keyOf(name))));
  return [...new Map(found.map(({ type, path, title }) => [path, { type, path, title }])).values()];
}

/** 国際通貨基金（IMF） is known by either name. */
const bothOf = (name: string): string[] => name.split(/[（(）)]/u).filter((one) => one.trim() !== '');

const keyOf = (text: string): string => keyOfWords(pieces(text).map((piece) => piece.text));
