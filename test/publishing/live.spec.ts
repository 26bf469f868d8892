import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { LIVE_PUBLISHERS, liveFixture, workbook, type LiveSettings } from './live-publishers.js';
import { publisherThat, quietly, usePriceFiles, type Loopback } from './price-files.js';
import { brief, read } from './reading.js';
import { releases } from '../../src/publish/publishers/releases/releases.importer.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const files = usePriceFiles(releases);
let loopback: Loopback;
afterEach(() => loopback.close());

const named = (name: string) => {
  const publisher = LIVE_PUBLISHERS[name];
  if (publisher === undefined) throw new Error(name);
  return publisher;
};

/** Fetches from the publisher, of which `spoil` answers the request that matters. */
async function fetched(name: string, spoil: Answer | null, settings: LiveSettings = {}): Promise<string[]> {
  const { answer, spoilt, fetchAt } = named(name);
  loopback = await publisherThat((request, response) => {
    if (spoil !== null && spoilt.test(request.url ?? '')) spoil(request, response);
    else response.end(answer(request.url ?? '', loopback.base));
  });
  return fetchAt(loopback.base, quietly(files.folder()), settings);
}

/** The kept file, and what the importer reads from it. */
async function whole(name: string, spoil: Answer | null = null) {
  const paths = await fetched(name, spoil);
  expect(paths.map((path) => basename(path))).toEqual([named(name).kept]);
  const [delivery] = await named(name).importer.open(paths, '2026-11-23');
  const said = await read(delivery);
  return { text: await readFile(paths[0] ?? '', 'utf8'), ...said };
}

const saying =
  (body: string | Buffer): Answer =>
  (_, response) =>
    void response.end(body);
const instead = (text: string, old: string, made: string): string => {
  expect(text).toContain(old);
  return text.replace(old, made);
};

/** Each publisher's own words for a page that is not what was asked for. */
const NOT_DATA = /has no table|is announced$|is not a calendar|HTML or XML|Unit: ""|is no workbook/;

type Fault = readonly [what: string, spoil: Answer, reason: RegExp, settings: LiveSettings];
const FAULTS: Fault[] = [
  ['is down', (_, response) => void response.writeHead(503).end(), /responded with 503 \(2 tries\)$/, {}],
  [
    'refuses the program',
    (_, response) => void response.writeHead(403).end('Access Denied'),
    /403: Access Denied$/,
    {},
  ],
  [
    'never answers',
    () => undefined,
    /no response within 50 ms \(2 tries\)$/,
    { limits: { tries: 2, timeoutMs: 50, maxBytes: 200_000 } },
  ],
  [
    'breaks off',
    (_, response) => {
      response.writeHead(200, { 'content-length': '90000' }).write('2026');
      response.destroy();
    },
    /the connection failed \(2 tries\)$/,
    {},
  ],
  ['gives more than is allowed', saying(Buffer.alloc(200_001, 'x')), /larger than 200000 bytes$/, {}],
  ['gives nothing', saying(''), NOT_DATA, {}],
  [
    'gives another page, whatever its content type says',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' });
      response.end('<html><head><title>Maintenance</title></head><body><h4>2026</h4><p>Back soon</p></body></html>');
    },
    NOT_DATA,
    {},
  ],
];

describe.each(Object.keys(LIVE_PUBLISHERS))('A live path to %s', (name) => {
  it.each<Fault>(FAULTS)('keeps no file if the publisher %s', async (_, spoil, reason, settings) => {
    await expect(fetched(name, spoil, settings)).rejects.toThrow(reason);
    expect(await readdir(files.folder())).toEqual([]);
  });

  it('tries again, and keeps the file that comes then', async () => {
    let asked = 0;
    const paths = await fetched(name, (request, response) => {
      asked += 1;
      if (asked === 1) response.writeHead(500).end();
      else response.end(named(name).answer(request.url ?? '', loopback.base));
    });
    expect([asked, paths.map((path) => basename(path))]).toEqual([2, [named(name).kept]]);
  });
});

describe('The live decisions of the Board', () => {
  const name = 'the Board’s decisions';
  const PAGE = liveFixture('openmarket.htm');

  it('are the upper limits by the day on which they took effect, since the target is a range', async () => {
    const { figures, bad, extents } = await whole(name);
    expect(bad).toEqual([]);
    expect(figures.map(brief)).toEqual([
      'DFEDTARU US 2008-12-16 0.25',
      'DFEDTARU US 2024-09-19 5.00',
      'DFEDTARU US 2024-11-08 4.75',
      'DFEDTARU US 2024-12-19 4.50',
      'DFEDTARU US 2025-09-18 4.25',
      'DFEDTARU US 2025-10-30 4.00',
    ]);
    expect(extents).toEqual([{ indicator: 'DFEDTARU', region: 'US', first: '2008-12-16', last: '2025-10-30' }]);
  });

  it.each([
    ['a day that does not exist', 'October 30', 'October 32'],
    ['a level without a number', '3.75-4.00', 'to be announced'],
    ['a table under no year', '<h4>2025</h4>', '<h4>Recent</h4>'],
  ])('are refused with %s', async (_, old, made) => {
    await expect(fetched(name, saying(instead(PAGE, old, made)))).rejects.toThrow(/is no change of the target range/);
  });
});

describe('A live schedule', () => {
  it('of the Committee has its coming meetings, by the day of the decision', async () => {
    const { text, events } = await whole('the Committee’s meetings');
    expect(text).toContain('2026-12-09,14:00,America/New_York,policy-rate-upper,US,2026-12-09,,scheduled,https://');
    expect(
      events.map(({ indicator, period, scheduledAt, status }) => [indicator, period, scheduledAt, status]),
    ).toEqual([
      ['DFEDTARU', '2026-12-09', '2026-12-09T19:00:00.000Z', 'scheduled'],
      ['DFEDTARU', '2027-02-01', '2027-02-01T19:00:00.000Z', 'scheduled'],
      ['DFEDTARU', '2027-03-17', '2027-03-17T18:00:00.000Z', 'cancelled'],
    ]);
  });

  it('of the BLS has the month that each release is for', async () => {
    const { events } = await whole('the schedule of the BLS');
    expect(events).toMatchObject([
      {
        indicator: 'CUUR0000SA0',
        region: 'US',
        period: '2026-11',
        estimate: null,
        scheduledAt: '2026-12-10T13:30:00.000Z',
      },
    ]);
  });

  it('of the BEA has the estimates of national GDP, and nothing else of the calendar', async () => {
    const { events } = await whole('the calendar of the BEA');
    expect(
      events.map(({ indicator, period, estimate, scheduledOn, scheduledAt, status }) =>
        [indicator, period, estimate, scheduledOn, scheduledAt, status].join(' '),
      ),
    ).toEqual([
      'GDP 2026-Q3 2 2026-11-25 2026-11-25T13:30:00.000Z scheduled',
      'GDP 2026-Q3 3 2026-12-22 2026-12-22T13:30:00.000Z cancelled',
      'GDP 2026-Q4 1 2027-01-28  scheduled',
    ]);
  });

  it.each([
    ['the Committee’s meetings', 'fomccalendars.htm', '8-9*', 'early', /"December early, 2026" is no meeting/],
    [
      'the schedule of the BLS',
      'cpi.htm',
      'Dec. 10, 2026',
      'mid-December',
      /"November 2026, mid-December, 08:30 AM" is no release/,
    ],
    ['the schedule of the BLS', 'cpi.htm', 'Reference Month', 'Month', /no table with the columns Reference Month/],
    [
      'the calendar of the BEA',
      'bea.ics',
      '(Second Estimate)',
      '(Flash Estimate)',
      /names no estimate and quarter that are known/,
    ],
    ['the calendar of the BEA', 'bea.ics', 'US-Eastern', 'Europe/Paris', /has a start that is not known/],
    ['the calendar of the BEA', 'bea.ics', 'END:VCALENDAR', '', /the response was incomplete \(2 tries\)/],
  ])('of %s (%s) is refused with %j as %j', async (name, fixture, old, made, reason) => {
    await expect(fetched(name, saying(instead(liveFixture(fixture), old, made)))).rejects.toThrow(reason);
  });

  it('is refused if it lists past releases only, because the page is not kept up', async () => {
    await expect(fetched('the schedule of the BLS', null, { today: '2026-12-11' })).rejects.toThrow(
      /no release from 2026-12-11 on is announced/,
    );
  });

  it('is asked for with the operator’s contact, if there is one', async () => {
    const agents: unknown[] = [];
    loopback = await publisherThat(({ headers }, response) => {
      agents.push(headers['user-agent']);
      response.end(liveFixture('cpi.htm'));
    });
    const contact = 'Ada Lovelace ada@example.org';
    await named('the schedule of the BLS').fetchAt(loopback.base, { ...quietly(files.folder()), contact }, {});
    expect(agents).toEqual([contact]);
  });
});

describe('The live ten-year yield', () => {
  const name = 'the ten-year yield';
  const TABLE = liveFixture('h15.csv');

  it('is the monthly average of the series that the response names', async () => {
    const { figures, bad } = await whole(name);
    expect(bad).toEqual([]);
    expect(figures.map(brief)).toEqual([
      'RIFLGFCY10_N.M  2026-04 4.32',
      'RIFLGFCY10_N.M  2026-05 4.48',
      'RIFLGFCY10_N.M  2026-06 4.47',
    ]);
  });

  it.each([
    [
      'another series',
      'H15/H15/RIFLGFCY10_N.M',
      'H15/H15/RIFLGFCY02_N.M',
      /Unique Identifier: "H15\/H15\/RIFLGFCY02_N.M"/,
    ],
    ['another multiplier', '"Multiplier:","1"', '"Multiplier:","100"', /Multiplier: "100" instead of "1"/],
    ['a second column', '2026-05,4.48', '2026-05,4.48,3.9', /"2026-05,4.48,3.9" is no month with its yield/],
    ['a cut last line', '2026-06,4.47\n', '2026-06,4', /the response was incomplete \(2 tries\)/],
    ['no figures', '2026-04,4.32\n2026-05,4.48\n2026-06,4.47\n', '', /has no figures/],
  ])('is refused with %s', async (_, old, made, reason) => {
    await expect(fetched(name, saying(instead(TABLE, old, made)))).rejects.toThrow(reason);
  });
});

describe('The live Pink Sheet', () => {
  const name = 'the Pink Sheet';
  const SHEET = liveFixture('pink-sheet.xml');

  it('is the column of gold in the workbook that the page links to', async () => {
    const { figures, bad } = await whole(name);
    expect(bad).toEqual([]);
    expect(figures.map(brief)).toEqual([
      'Gold  1960-01 35.27',
      'Gold  2026-04 4721',
      'Gold  2026-05 4587',
      'Gold  2026-06 4228',
    ]);
    expect(loopback.asked.map((path) => basename(path))).toEqual([
      'commodity-markets',
      'CMO-Historical-Data-Monthly.xlsx',
    ]);
  });

  it.each<readonly [string, () => Buffer, RegExp]>([
    [
      'in another unit',
      () => workbook(SHEET, ['', '', 'Gold', '', '', '($/kg)', '…']),
      /no column of gold in US dollars/,
    ],
    [
      'without a column of gold',
      () => workbook(SHEET, ['', '', 'Silver', '', '', '($/troy oz)', '']),
      /no column of gold/,
    ],
    ['without months', () => workbook(SHEET.replace(/(19|20)(\d\d)M/g, '$1$2-')), /has no months/],
    ['that is cut', () => workbook().subarray(0, 900), /incomplete ZIP archive/],
    [
      'that is damaged',
      () => Buffer.concat([workbook().subarray(0, 700), Buffer.from('?'), workbook().subarray(701)]),
      /damaged/,
    ],
  ])('is refused with a workbook %s', async (_, body, reason) => {
    await expect(fetched(name, saying(body()))).rejects.toThrow(reason);
  });

  it('is not fetched from another host than that of the World Bank’s documents', async () => {
    loopback = await publisherThat((_, response) => response.end(liveFixture('commodity-markets.htm')));
    const fetching = named(name).fetchAt(loopback.base, quietly(files.folder()), {});
    await expect(fetching).rejects.toThrow(/links to a workbook elsewhere than on http:\/\/127\.0\.0\.1/);
    expect(loopback.asked).toEqual(['/en/research/commodity-markets']);
    expect(await readdir(join(files.folder()))).toEqual([]);
  });
});
