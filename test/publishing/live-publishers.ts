// Publishers whose pages and files are replayed by a server on the loopback address, shortened by hand.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FetchOptions, Importer } from '../../src/publish/batches/importer.js';
import { beaSchedule, fetchBeaSchedule } from '../../src/publish/publishers/bea-schedule.js';
import { blsSchedule, fetchBlsSchedule } from '../../src/publish/publishers/bls-schedule.js';
import { fetchMeetings, fomcSchedule } from '../../src/publish/publishers/fomc-schedule.js';
import { fetchDecisions } from '../../src/publish/publishers/frb.js';
import { frb } from '../../src/publish/publishers/frb.js';
import { fetchTenYearYield } from '../../src/publish/publishers/frb-h15.js';
import { frbH15 } from '../../src/publish/publishers/frb-h15.js';
import { fetchPinkSheet } from '../../src/publish/publishers/worldbank-pinksheet.js';
import { worldbankPinksheet } from '../../src/publish/publishers/worldbank-pinksheet.js';
import { zipOf } from '../support/zip.js';
import { NO_WAITING } from './price-files.js';

export const liveFixture = (name: string): string => readFileSync(join(__dirname, '../fixtures/live', name), 'utf8');

const PINK_SHEET_TEXTS = [
  'World Bank Commodity Price Data (The Pink Sheet)',
  'Crude oil, average',
  'Gold',
  'Platinum',
  '($/bbl)',
  '($/troy oz)',
  '…',
];

/** A workbook with the sheet of monthly prices. */
export const workbook = (sheet = liveFixture('pink-sheet.xml'), texts = PINK_SHEET_TEXTS): Buffer =>
  zipOf({
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml':
      '<workbook><sheets><sheet name="AFOSHEET" sheetId="1" r:id="rId1"/>' +
      '<sheet name="Monthly Prices" sheetId="2" r:id="rId2"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/>' +
      '<Relationship Id="rId2" Target="worksheets/sheet2.xml"/></Relationships>',
    'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': '<worksheet/>',
    'xl/worksheets/sheet2.xml': sheet,
  });

export interface LiveSettings {
  readonly limits?: { readonly tries: number; readonly timeoutMs: number; readonly maxBytes: number };
  /** `YYYY-MM-DD`. */
  readonly today?: string;
}

export interface LivePublisher {
  readonly importer: Importer;
  /** The response to a path, given the base of the loopback server. */
  readonly answer: (path: string, base: string) => Buffer | string;
  /** The response of which the tests spoil the content. */
  readonly spoilt: RegExp;
  readonly fetchAt: (base: string, options: FetchOptions, settings: LiveSettings) => Promise<string[]>;
  /** The file that is kept. */
  readonly kept: string;
}

const LIMITS = { tries: 2, timeoutMs: 5_000, maxBytes: 200_000 };
const at = (base: string, { limits = LIMITS, today = '2026-11-23' }: LiveSettings) => ({
  base,
  limits,
  waiting: NO_WAITING,
  today: () => today,
});
const page = (name: string) => () => liveFixture(name);

export const LIVE_PUBLISHERS: Readonly<Record<string, LivePublisher>> = {
  'the Board’s decisions': {
    importer: frb,
    answer: page('openmarket.htm'),
    spoilt: /openmarket/,
    kept: 'target-range.csv',
    fetchAt: (base, options, settings) => fetchDecisions(options, at(base, settings)),
  },
  'the Committee’s meetings': {
    importer: fomcSchedule,
    answer: page('fomccalendars.htm'),
    spoilt: /fomccalendars/,
    kept: 'schedule.csv',
    fetchAt: (base, options, settings) => fetchMeetings(options, at(base, settings)),
  },
  'the schedule of the BLS': {
    importer: blsSchedule,
    answer: page('cpi.htm'),
    spoilt: /cpi/,
    kept: 'schedule.csv',
    fetchAt: (base, options, settings) => fetchBlsSchedule(options, at(base, settings)),
  },
  'the calendar of the BEA': {
    importer: beaSchedule,
    answer: page('bea.ics'),
    spoilt: /ics/,
    kept: 'schedule.csv',
    fetchAt: (base, options, settings) => fetchBeaSchedule(options, at(base, settings)),
  },
  'the ten-year yield': {
    importer: frbH15,
    answer: page('h15.csv'),
    spoilt: /rel=H15/,
    kept: 'monthly.csv',
    fetchAt: (base, options, settings) => fetchTenYearYield(options, at(base, settings)),
  },
  'the Pink Sheet': {
    importer: worldbankPinksheet,
    spoilt: /xlsx/,
    kept: 'monthly.csv',
    answer: (path, base) =>
      path.endsWith('.xlsx')
        ? workbook()
        : liveFixture('commodity-markets.htm').replaceAll('https://thedocs.worldbank.org', base),
    fetchAt: (base, options, settings) => fetchPinkSheet(options, { ...at(base, settings), documents: base }),
  },
};
