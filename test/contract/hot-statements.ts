import { page, PAGES, RANKED } from './hot-pages.js';
import { SEARCHES } from './hot-searches.js';
import { createHash } from 'node:crypto';
import type { Statement } from '../../src/store/snapshots.js';
import { changeStatement, documentsStatement } from '../../src/serve/resources/changes/change.rows.js';
import { countedStatement, rankedStatement } from '../../src/serve/resources/changes/important-changes.rows.js';
import {
  EVENT_HISTORY,
  nearestDaysStatement,
  ONE_EVENT,
  eventsStatement,
} from '../../src/serve/resources/ahead/event.rows.js';
import { KNOWN_FIGURES } from '../../src/serve/resources/alerts/alert-replay.rows.js';
import { ALERTS_PAGE } from '../../src/serve/resources/alerts/alert.rows.js';
import { FIRING_POSITIONS, FOLLOWED_POSITIONS, FOLLOWS } from '../../src/serve/resources/following/following.rows.js';
import {
  BRIEF_ITEMS,
  BRIEF_SECTIONS,
  HEADLINE_CLOSES,
  EVENTS_AHEAD,
  LATEST_BRIEF,
  ONE_BRIEF,
} from '../../src/serve/resources/briefs/brief.rows.js';
import { HEADLINE_INSTRUMENTS } from '../../src/serve/resources/briefs/brief-markets.view.js';
import { NEWEST_DAY, TOP_CHANGES, WINDOWS, WINDOWS_OF_REGION } from '../../src/serve/resources/heat/heat.rows.js';
import { ONE_SIGNAL, SIGNALS_OF_TOPIC } from '../../src/serve/resources/signals/signal.rows.js';
import {
  ALL_VINTAGES,
  BOARD_LATEST_TWO,
  LATEST_TWO,
  WHOLE_SERIES,
} from '../../src/serve/resources/macro/macro.rows.js';
import {
  COMPANIES_OF_SLUGS,
  companiesStatement,
  ONE_COMPANY,
} from '../../src/serve/resources/companies/company.rows.js';
import { DOWNWARD, EDGES, SLUGS_OF_ENTITIES, UPWARD } from '../../src/serve/resources/entities/structure.rows.js';
import { instrumentsStatement, closesStatement } from '../../src/serve/resources/markets/market.rows.js';
import { pointsStatement } from '../../src/serve/resources/series/point.rows.js';

// The reads that most requests cause, with the values of a request.

/** As in the function, with its parameter. */
const FIND_KEYS = `
  SELECT k.hash, k.id, a.id, a.plan, a.status, k.revoked_at IS NOT NULL, k.expires_at, NULL::timestamptz, k.reads
  FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = ANY ($1)`;

export interface HotQuery extends Statement {
  readonly title: string;
  readonly where: string;
  readonly indexes: readonly string[];
  /** The function of the owner that runs the statement; undefined: the API's role runs it. */
  readonly byOwner?: string;
}

const WINDOW = { from: '2020-01-01', to: '2020-03-31' };
const event = (sql: string): Statement => ({
  sql,
  parameters: [`evt_${createHash('md5').update('7 2024').digest('hex')}`],
});

export const HOT: readonly HotQuery[] = [
  ...PAGES.map(([title, filter, indexes]) => ({
    title: `A page of ${title}`,
    where: 'src/serve/resources/changes/change.rows.ts',
    indexes,
    ...page(filter),
  })),
  ...RANKED.map(([title, filter, indexes]) => ({
    title: `The most important changes ${title}`,
    where: 'src/serve/resources/changes/important-changes.rows.ts',
    indexes,
    ...countedStatement({ filter, after: undefined, limit: 20 }),
  })),
  {
    title: 'The most important changes of very many',
    where: 'src/serve/resources/changes/important-changes.rows.ts',
    indexes: ['changes_ranking', 'change_coverage_pkey'],
    ...rankedStatement({ filter: { coverage: 'prices' }, after: undefined, limit: 20 }),
  },
  {
    title: 'One change',
    where: 'src/serve/resources/changes/change.rows.ts',
    indexes: ['changes_pkey'],
    ...changeStatement(`chg_${createHash('md5').update('7').digest('hex')}`),
  },
  {
    title: 'What the changes of a page show',
    where: 'src/serve/resources/changes/change.rows.ts',
    indexes: ['change_documents_pkey'],
    ...documentsStatement([7, 11, 13], 'en'),
  },
  {
    title: 'The whole series of a region',
    where: 'src/serve/resources/macro/macro.rows.ts',
    // There are few series, so the planner may use any of their indexes.
    indexes: ['observations_pkey'],
    sql: WHOLE_SERIES,
    parameters: ['gdp-growth', '2026-11-21', '1500', '2499', ['JP']],
  },
  {
    title: 'Every value that a series ever had',
    where: 'src/serve/resources/macro/macro.rows.ts',
    // There are few series, so the planner may use any of their indexes.
    indexes: ['observations_pkey'],
    sql: ALL_VINTAGES,
    parameters: ['gdp-growth', '2026-11-21', '1500', '2499', ['JP']],
  },
  {
    title: 'The newest two observations of every region',
    where: 'src/serve/resources/macro/macro.rows.ts',
    // There are few series, so the planner may use any of their indexes.
    indexes: ['observations_pkey'],
    sql: LATEST_TWO,
    parameters: ['gdp-growth', '2026-11-21', '1500', '2499', null],
  },
  {
    title: 'The economy board',
    where: 'src/serve/resources/macro/macro.rows.ts',
    indexes: ['observations_pkey'],
    sql: BOARD_LATEST_TWO,
    parameters: [],
  },
  {
    title: 'One signal',
    where: 'src/serve/resources/signals/signal.rows.ts',
    indexes: ['signal_changes_pkey', 'signal_topics_signal', 'changes_position_key'],
    sql: ONE_SIGNAL,
    parameters: [
      `sig_${createHash('md5')
        .update(`chg_${createHash('md5').update('7').digest('hex')}`)
        .digest('hex')}`,
      'en',
    ],
  },
  {
    title: 'The signals of a topic',
    where: 'src/serve/resources/signals/signal.rows.ts',
    // Two unique indexes begin with the id: the planner takes either.
    indexes: ['signal_topics_pkey'],
    sql: SIGNALS_OF_TOPIC,
    parameters: ['inflation', 'en'],
  },
  ...(
    [
      ['The newest day of country heat', NEWEST_DAY, ['heat_days_pkey'], ['']],
      ['The windows of one country', WINDOWS_OF_REGION, ['heat_days_pkey'], ['', '2026-06-30', 7, 3_647, 'JP']],
      // The planner may walk the days or the economies: no table is scanned.
      ['The windows of all countries', WINDOWS, [], ['', '2026-06-30', 7, 3_647]],
      [
        'The changes that made countries hot',
        TOP_CHANGES,
        ['changes_position_key', 'heat_days_pkey'],
        ['', '2026-06-30', 7, ['JP', 'US'], 'en'],
      ],
    ] as const
  ).map(([title, sql, indexes, parameters]) => ({
    title,
    where: 'src/serve/resources/heat/heat.rows.ts',
    indexes,
    sql,
    parameters,
  })),
  {
    title: 'All that an account follows',
    where: 'src/serve/resources/following/following.rows.ts',
    indexes: ['follows_account_id_target_type_target_key_key'],
    sql: FOLLOWS,
    parameters: ['acc_7'],
  },
  {
    title: 'A page of changes of what an account follows',
    where: 'src/serve/resources/following/following.rows.ts',
    indexes: ['change_regions_pkey', 'change_topics_pkey', 'changes_followed', 'changes_position_key'],
    sql: FOLLOWED_POSITIONS,
    parameters: ['acc_7', Number.MAX_SAFE_INTEGER, 21],
  },
  {
    title: "A page of an account's alerts",
    where: 'src/serve/resources/alerts/alert.rows.ts',
    indexes: ['alert_events_pkey', 'alerts_account'],
    sql: ALERTS_PAGE,
    parameters: ['acc_7', Number.MAX_SAFE_INTEGER, 21, 'en'],
  },
  {
    title: 'The changes of a target that would fire an alert',
    where: 'src/serve/resources/following/following.rows.ts',
    indexes: ['change_regions_pkey', 'changes_position_key'],
    sql: FIRING_POSITIONS,
    parameters: ['country', Number.MAX_SAFE_INTEGER, 100, 'JP'],
  },
  {
    title: 'The newest values of a series for the replay of an alert',
    where: 'src/serve/resources/alerts/alert-replay.rows.ts',
    indexes: ['observations_pkey'],
    sql: KNOWN_FIGURES,
    parameters: [7, 400],
  },
  ...(
    [
      ['The latest brief', LATEST_BRIEF, ['briefs_pkey'], []],
      ['The brief of a day', ONE_BRIEF, ['briefs_pkey'], ['2026-05-01']],
      ['The sections of a brief', BRIEF_SECTIONS, ['brief_sections_pkey'], ['2026-05-01']],
      [
        'The items of a brief',
        BRIEF_ITEMS,
        ['brief_items_pkey', 'brief_item_changes_pkey', 'changes_pkey'],
        ['2026-05-01'],
      ],
      [
        'The closes of a brief',
        HEADLINE_CLOSES,
        ['observations_pkey', 'series_instrument_key'],
        ['2026-05-01', HEADLINE_INSTRUMENTS, '2026-05-01'],
      ],
      ['The week ahead of a brief', EVENTS_AHEAD, [], ['2026-05-01', '2026-05-01']],
    ] as const
  ).map(([title, sql, indexes, parameters]) => ({
    title,
    where: 'src/serve/resources/briefs/brief.rows.ts',
    indexes,
    sql,
    parameters: [...parameters],
  })),
  ...(
    [
      ['A page of the calendar', ['calendar_events_time', 'observations_pkey'], eventsStatement(WINDOW, 20)],
      [
        'A page of the calendar of a country',
        ['calendar_events_region', 'observations_pkey'],
        eventsStatement({ ...WINDOW, regions: ['JP'] }, 20),
      ],
      [
        'A later page of the calendar',
        ['calendar_events_time', 'observations_pkey'],
        eventsStatement({ ...WINDOW, after: { day: '2020-02-01', at: '-infinity', id: 'evt_a' } }, 20),
      ],
      ['The nearest days with events', ['calendar_events_time'], nearestDaysStatement(WINDOW)],
      ['One event', ['calendar_events_pkey', 'observations_pkey'], event(ONE_EVENT)],
      ['What an event said before', ['calendar_event_history_pkey'], event(EVENT_HISTORY)],
    ] as const
  ).map(([title, indexes, statement]) => ({
    title,
    where: 'src/serve/resources/ahead/event.rows.ts',
    indexes,
    ...statement,
  })),
  {
    title: 'A page of companies',
    where: 'src/serve/resources/companies/company.rows.ts',
    indexes: ['companies_name'],
    ...companiesStatement({}, 20),
  },
  {
    title: 'A page of companies of a country',
    where: 'src/serve/resources/companies/company.rows.ts',
    indexes: ['companies_country'],
    ...companiesStatement({ country: 'JP', after: 'company-000000000000001f4000' }, 20),
  },
  {
    title: 'Companies that a search found',
    where: 'src/serve/resources/companies/company.rows.ts',
    indexes: ['companies_pkey', 'relations_upward'],
    sql: COMPANIES_OF_SLUGS,
    parameters: [['company-000000000000001f4000', 'company-000000000000001f4100']],
  },
  {
    title: 'One company',
    where: 'src/serve/resources/companies/company.rows.ts',
    indexes: ['companies_pkey', 'relations_upward'],
    sql: ONE_COMPANY,
    parameters: ['company-000000000000001f4000'],
  },
  {
    title: 'A level of a structure map, downward',
    where: 'src/serve/resources/entities/structure.rows.ts',
    indexes: ['relations_downward'],
    sql: DOWNWARD,
    parameters: [['ent_grown2'], ['ent_grown2'], 499],
  },
  {
    title: 'A level of a structure map, upward',
    where: 'src/serve/resources/entities/structure.rows.ts',
    indexes: ['relations_upward'],
    sql: UPWARD,
    parameters: [['ent_grown500'], ['ent_grown500'], 499],
  },
  {
    title: 'The companies of a structure map',
    where: 'src/serve/resources/entities/structure.rows.ts',
    indexes: ['companies_entity_id_key'],
    sql: SLUGS_OF_ENTITIES,
    parameters: [['ent_grown2', 'ent_grown20', 'ent_grown21']],
  },
  {
    title: 'The relations of a structure map',
    where: 'src/serve/resources/entities/structure.rows.ts',
    indexes: [],
    sql: EDGES,
    parameters: [['ent_grown2', 'ent_grown20', 'ent_grown21'], 2_000],
  },
  {
    title: 'Every instrument with its quote',
    where: 'src/serve/resources/markets/market.rows.ts',
    indexes: ['observations_current'],
    ...instrumentsStatement(),
  },
  {
    title: 'The newest points of an instrument',
    where: 'src/serve/resources/series/point.rows.ts',
    indexes: ['observations_current'],
    ...pointsStatement({ series: 1, span: ['1500-01-01', '2499-12-31'] }, 91),
  },
  {
    title: 'The monthly closes of all currencies',
    where: 'src/serve/resources/markets/market.rows.ts',
    indexes: ['observations_current'],
    ...closesStatement({
      kind: 'fx',
      tf: 'MN',
      bars: 30,
      span: ['1500-01', '2499-12'],
      days: ['1500-01-01', '2499-12-31'],
    }),
  },
  {
    title: 'Whose key it is',
    where: 'the function find_keys, which runs it',
    indexes: ['accounts_pkey', 'api_keys_hash_key'],
    byOwner: 'find_keys',
    sql: FIND_KEYS,
    parameters: [[createHash('sha256').update('7').digest()]],
  },
  ...SEARCHES.map((query) => ({ where: 'src/serve/resources/search', ...query })),
];
