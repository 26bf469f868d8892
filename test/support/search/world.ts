import { Readable } from 'node:stream';
import type { DataSource } from 'typeorm';
import { poolOf } from '../../../src/store/snapshots.js';
import { createAffectedChanges } from '../../../src/publish/publication/affected-changes.js';
import { refreshSearch } from '../../../src/publish/read-models/search/refresh-search.js';
import indicators from '../../../data/catalogue/indicators.json' with { type: 'json' };
import instruments from '../../../data/catalogue/instruments.json' with { type: 'json' };
import regions from '../../../data/catalogue/regions.json' with { type: 'json' };
import type { Batch, FigureRow } from '../../../src/publish/batches/importer.js';
import { importFiles } from '../../../src/publish/import/import-files.js';
import { OWN } from '../../publishing/deliveries.js';

// A small search index: every indicator, instrument and economy of the catalogue, and some companies.

/** Name, slug (or an id, for an entity that is not a company), country, other name, ticker. */
const ENTITIES: readonly (readonly [string, string, string, string?, string?])[] = [
  ['Allianz SE', 'allianz-se', 'DE'],
  ['Shell plc', 'shell-plc', 'GB', 'Shell plc', 'SHEL'],
  ['COMMERZBANK Aktiengesellschaft', 'commerzbank-ag', 'DE'],
  ['トヨタ自動車株式会社', 'toyota-motor', 'JP', 'TOYOTA MOTOR CORP/', 'TM'],
  ['ソニーグループ株式会社', 'sony-group', 'JP', 'Sony Group Corp', 'SONY'],
  ['三菱UFJ銀行株式会社', 'mufg-bank', 'JP'],
  ['日本製鉄株式会社', 'nippon-steel', 'JP'],
  ['Apple Inc.', 'apple-inc', 'US', 'Apple Inc.', 'AAPL'],
  ['Applied Materials, Inc.', 'applied-materials-inc', 'US', 'APPLIED MATERIALS INC /DE', 'AMAT'],
  ['MICROSOFT CORPORATION', 'microsoft-corp', 'US', 'MICROSOFT CORP', 'MSFT'],
  ['Alphabet Inc.', 'alphabet-inc', 'US', 'Alphabet Inc.', 'GOOGL'],
  ['JPMORGAN CHASE & CO.', 'jpmorgan-chase-co', 'US', 'JPMORGAN CHASE & CO', 'JPM'],
  ['MORGAN STANLEY', 'morgan-stanley', 'US', 'MORGAN STANLEY', 'MS'],
  ['Bank of America Corporation', 'bank-of-america-corp', 'US', 'BANK OF AMERICA CORP /DE/', 'BAC'],
  ['Johnson & Johnson', 'johnson-johnson', 'US', 'JOHNSON & JOHNSON', 'JNJ'],
  ['Johnson Controls International plc', 'johnson-controls', 'IE', 'Johnson Controls International plc', 'JCI'],
  ['SOCIETE GENERALE', 'societe-generale', 'FR'],
  ['Nestlé S.A.', 'nestle-s-a', 'CH'],
  ['中国工商银行股份有限公司', 'industrial-and-commercial-bank-of-china', 'CN'],
  ['中国建设银行股份有限公司', 'china-construction-bank', 'CN'],
  ['Allianz Global Investors GmbH', 'ent_allianzgi', 'DE'],
  ['Shell International Finance B.V.', 'ent_shellfinance', 'NL'],
  ['Commerzbank Finance 3 S.à r.l.', 'ent_commerzbankfinance', 'LU'],
];

const SIGNALS = [
  [
    'sig_inflation_turn',
    'Inflation has turned down in many economies',
    '多个经济体通胀回落',
    '多くの国・地域でインフレ率が低下に転じる',
  ],
] as const;

function figures(): Batch[] {
  const place = { file: 'world.csv', line: 1, column: 'value' };
  const row = (indicator: string, region: string | null, period: string): FigureRow => ({
    indicator,
    region,
    period,
    value: '5',
    place,
  });
  const rows = [
    ...regions.map(({ code }) => row('population', code, '2024')),
    ...indicators.filter(({ slug }) => slug !== 'population').map(({ slug }) => row(slug, 'JP', '2024')),
    ...instruments.map(({ key }) => row(key, null, '2024-06-03')),
  ];
  const extents = rows.map(({ indicator, region, period }) => ({ indicator, region, first: period, last: period }));
  return [
    { kind: 'extents', rows: extents },
    { kind: 'figures', rows },
  ];
}

/** Publishes all of it; the vintage day distinguishes one publication from the next. */
export async function publishWorld(publisher: DataSource, vintage: string): Promise<void> {
  const delivery = {
    name: `world of ${vintage}`,
    vintage,
    basis: 'retrieved' as const,
    bytes: 0,
    read: () => Readable.from(figures()),
  };
  await importFiles(publisher, OWN, [delivery], { accept: 'a test', now: () => new Date('2026-11-01T00:00:00Z') });
}

/** Writes entities, companies and a signal as their own importers would, without their rules. */
export async function writeRegister(publisher: DataSource): Promise<void> {
  for (const [index, [name, slug, country, other, ticker]] of ENTITIES.entries()) {
    const id = slug.startsWith('ent_') ? slug : `ent_${slug}`;
    const lei = `TEST00000000000${String(index + 100)}${String(index + 10)}`;
    await publisher.query(
      `INSERT INTO entities (id, lei, name, type, country, status, source_id)
       VALUES ($1, $2, $3, 'general', $4, 'active', 'worldbank-wdi')`,
      [id, lei, name, country],
    );
    if (slug === id) continue;
    await publisher.query(
      `INSERT INTO companies (slug, entity_id, listed, folded_name, rank, country, source_id)
       VALUES ($1, $2, true, lower($3), $4, $5, 'worldbank-wdi')`,
      [slug, id, name, ticker === undefined ? 35 : 55, country],
    );
    if (ticker === undefined) continue;
    await publisher.query(
      `INSERT INTO registrants (cik, entity_id, name, listed, known_on, source_id, data_version)
       VALUES ($1, $2, $3, true, '2026-01-01', 'worldbank-wdi', 1)`,
      [index + 1, id, other],
    );
    await publisher.query(
      `INSERT INTO company_tickers (cik, ticker, ordinal, source_id) VALUES ($1, $2, 1, 'worldbank-wdi')`,
      [index + 1, ticker],
    );
  }
  for (const [id, en, zh, ja] of SIGNALS) {
    const title = JSON.stringify({ en, zh, ja });
    await publisher.query(
      `INSERT INTO signals (id, rule, subject, starts, title, summary, evidence_class, evidence_total,
         evidence_independent, evidence_publishers, evidence_levels, first_seen_on, last_seen_on, stage,
         current_days, status, data_version)
       VALUES ($1, 'turn', 'world', '2026', $2, $2, 'supported', 2, 2, 1, '{}', '2026-07-01', '2026-07-01',
         'active', 30, 'active', 1)`,
      [id, title],
    );
  }
  await refreshDocuments(publisher);
}

/** Documents of what was written without a publication. */
export async function refreshDocuments(publisher: DataSource): Promise<void> {
  const client = await poolOf(publisher).connect();
  try {
    await client.query('BEGIN');
    await createAffectedChanges(client);
    const { rows } = await client.query<{ dataVersion: number; beganAt: Date }>(
      'SELECT data_version AS "dataVersion", began_at AS "beganAt" FROM publications ORDER BY data_version DESC LIMIT 1',
    );
    const [newest] = rows;
    if (newest === undefined) throw new Error('nothing is published');
    await refreshSearch(client, newest, 'everything');
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}
