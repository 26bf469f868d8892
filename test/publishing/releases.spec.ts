// runs: in full only
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deliveriesOfHeld, findHeld } from '../../src/publish/audit/held-deliveries.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import { releases } from '../../src/publish/publishers/releases/releases.importer.js';
import { useScratchFiles } from '../support/scratch-files.js';
import { describeWithSharedData, sharedData } from '../support/shared-data.js';
import { NOW, usePublishing, type Settings } from './publishing.js';
import { read, spot } from './reading.js';

const fixture = (name: string): string => join(__dirname, '../fixtures/calendar', name);
const text = (name: string): string => readFileSync(fixture(name), 'utf8');
const { sql, changes, revisions, publisher } = usePublishing();
const files = useScratchFiles();

const publish = async (paths: string[], settings: Settings = {}) =>
  importFiles(publisher(), releases, await releases.open(paths, null), {
    accept: 'a test',
    now: () => NOW,
    ...settings,
  });

describe('The importer of releases', () => {
  it('publishes each release day separately, in order, as releases and revisions of real estimates', async () => {
    const reports = await publish([fixture('us-gdp.csv')]);
    expect(reports.map(({ vintage, outcome, kind }) => `${vintage} ${outcome} ${kind}`)).toEqual(
      ['2000-01-28', '2000-02-25', '2000-03-30', '2000-04-27', '2000-05-25'].map((day) => `${day} published import`),
    );
    // The third print differs by less than 0.1 %, and so does the second one of the next quarter.
    expect(
      (await changes()).map(({ kind, period, previous, actual, day }) => [kind, period, previous, actual, day]),
    ).toEqual([
      ['revision', '1999-Q4', '9477.1', '9501.6', '2000-02-25'],
      ['release', '2000-Q1', '9507.9', '9697.2', '2000-04-27'],
    ]);
  });

  it('takes few locks for each further day, so that a list of many years fits into one transaction', async () => {
    const locks: number[] = [];
    await publish([fixture('us-gdp.csv')], {
      onPublication: async (client) => {
        const { rows } = await client.query<{ count: string }>(
          'SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid()',
        );
        locks.push(Number(rows[0]?.count));
      },
    });
    const [second = 0, , , last = Number.POSITIVE_INFINITY] = locks.slice(1);
    expect(last - second).toBeLessThan(3 * 25);
  });

  it('publishes no day of a list of which one day meets a newer vintage', async () => {
    const lines = text('us-gdp.csv').split('\n');
    const kept = lines.filter((line, index) => index === 0 || line.startsWith('2000-04-27'));
    const file = await files.write('one.csv', `${kept.join('\n')}\n`);
    await publish([file]);
    const before = await revisions();
    await expect(publish([fixture('us-gdp.csv')])).rejects.toThrow('is older than a stored one (2000-04-27)');
    expect(await revisions()).toBe(before);
  });

  it('publishes no day of a list of which one day is implausible, until all of it is accepted', async () => {
    const wrong = text('us-gdp.csv').replace('9697.2', '9.6972');
    const file = await files.write('wrong.csv', wrong);
    const judged = { accept: undefined } as unknown as Settings;
    const [held, ...others] = await publish([file], judged);
    expect(held).toMatchObject({ outcome: 'held', vintage: '2000-04-27', dataVersion: null });
    expect([others, await revisions()]).toEqual([[], 0]);
    const deliveries = await deliveriesOfHeld(publisher(), await findHeld(publisher(), held?.heldDelivery ?? 0));
    expect(deliveries.map(({ vintage }) => vintage)).toEqual([
      '2000-01-28',
      '2000-02-25',
      '2000-03-30',
      '2000-04-27',
      '2000-05-25',
    ]);
    const accepted = await importFiles(publisher(), releases, deliveries, { accept: 'a test', now: () => NOW });
    expect(accepted.map(({ outcome }) => outcome)).toEqual(Array(5).fill('published'));
    await publish([fixture('us-gdp.csv')], { ...judged, replace: true });
    expect((await changes()).find(({ period }) => period === '2000-Q1')).toMatchObject({ actual: '9697.2' });
  });

  it('rehearses each day of a list beside those before it, and publishes nothing', async () => {
    const reports = await publish([fixture('us-gdp.csv')], { dryRun: true });
    expect(reports.map(({ outcome, counts }) => `${outcome} ${counts.revisions}`)).toEqual([
      'rehearsed 0',
      'rehearsed 1',
      'rehearsed 0',
      'rehearsed 0',
      'rehearsed 0',
    ]);
    expect(await revisions()).toBe(0);
  });

  it('refuses a day that contradicts the order of the periods, or lies long after its period', async () => {
    for (const [from, to, reason] of [
      ['2024-11-13', '2024-12-13', '2024-10 is released on 2024-12-13, after 2024-11 on 2024-12-11'],
      ['2025-01-15', '2025-12-15', 'was over for more than 200 days'],
    ] as const) {
      const file = await files.write('moved.csv', text('us-cpi.csv').replace(from, to));
      const error: unknown = await publish([file]).catch((thrown: unknown) => thrown);
      const [row] = (error as { listed?: { reason: string }[] }).listed ?? [];
      expect(row?.reason ?? String(error)).toContain(reason);
      expect(await revisions()).toBe(0);
    }
  });

  it('writes amounts that are printed in billions as people do', async () => {
    await publish([fixture('us-gdp.csv')]);
    const [row] = await sql<{ headline: Record<string, string> }>(
      `SELECT headline FROM changes WHERE kind = 'release'`,
    );
    expect(row?.headline).toEqual({
      en: 'United States: nominal GDP (annual rate, first estimate) rose 2.0% on the quarter in Q1 2000, to $9.697 trillion from $9.508 trillion in Q4 1999',
      zh: '美国2000年第一季度名义GDP（折年率，初值）环比增长2.0%，为9.697万亿美元（1999年第四季度为9.508万亿美元）',
      ja: '米国の名目GDP速報値（年率換算）、2000年1～3月期は前期比2.0%増の9兆6970億ドル（1999年10～12月期は9兆5080億ドル）',
    });
  });

  it('stores an event for each print, by its publisher’s day and without an unstated time', async () => {
    await publish([fixture('us-gdp.csv')]);
    const events = await sql(
      `SELECT period, estimate, scheduled_on AS day, time_zone AS zone, scheduled_at AS at, status, importance
       FROM calendar_events ORDER BY scheduled_on`,
    );
    const event = (period: string, estimate: number, day: string, importance: string) => ({
      period,
      estimate,
      day,
      zone: 'America/New_York',
      at: null,
      status: 'scheduled',
      importance,
    });
    expect(events).toEqual([
      event('1999-Q4', 1, '2000-01-28', 'high'),
      event('1999-Q4', 2, '2000-02-25', 'medium'),
      event('1999-Q4', 3, '2000-03-30', 'medium'),
      event('2000-Q1', 1, '2000-04-27', 'high'),
      event('2000-Q1', 2, '2000-05-25', 'medium'),
    ]);
  });

  it('derives decisions from policy rates, each on the day from which it holds, and no releases', async () => {
    await publish([fixture('us-fed.csv')]);
    const decisions = await changes();
    expect(decisions.map(({ kind, period, previous, actual }) => [kind, period, previous, actual])).toEqual([
      ['decision', '2024-09-19', '5.50', '5.00'],
      ['decision', '2024-11-08', '5.00', '4.75'],
      ['decision', '2024-12-19', '4.75', '4.50'],
      ['decision', '2025-09-18', '4.50', '4.25'],
      ['decision', '2025-10-30', '4.25', '4.00'],
    ]);
    const [last] = await sql<Record<string, unknown>>(
      `SELECT headline, occurred_at::date AS day, occurred_basis AS basis, previous_period AS previous
       FROM changes ORDER BY position DESC LIMIT 1`,
    );
    expect(last).toMatchObject({ day: '2025-10-30', basis: 'observed', previous: '2025-09-18' });
    expect(last?.['headline']).toEqual({
      en: 'US Federal Reserve cuts its federal funds target range by 25 basis points to 3.75%–4.00%, effective 30 October 2025',
      zh: '美联储下调联邦基金利率目标区间25个基点至3.75%—4.00%，2025年10月30日起生效',
      ja: '米FRB、FF金利の誘導目標を0.25%引き下げ3.75～4.00%に（2025年10月30日適用）',
    });
  });

  it('changes nothing for the same list, whatever the order of the files', async () => {
    await publish([fixture('us-gdp.csv'), fixture('us-cpi.csv')]);
    const before = await revisions();
    const reports = await publish([fixture('us-cpi.csv'), fixture('us-gdp.csv')]);
    expect(new Set(reports.map(({ outcome }) => outcome))).toEqual(new Set(['unchanged']));
    expect(await revisions()).toBe(before);
  });

  it('finds its columns by name, at any position', async () => {
    const moved = text('us-gdp.csv')
      .trim()
      .split('\n')
      .map((line) => {
        // The second field of these rows is quoted and contains a comma.
        const cells = line.match(/("[^"]*"|[^,]*)(,|$)/g)?.map((cell) => cell.replace(/,$/, '')) ?? [];
        const [day = '', ...rest] = cells.slice(0, 11);
        return [...rest, day].join(',');
      })
      .join('\n');
    const path = await files.write('moved.csv', `${moved}\n`);
    const figures = async (file: string) => {
      const deliveries = await releases.open([file], null);
      return Promise.all(deliveries.map(async (one) => (await read(one)).figures.map(({ value }) => value)));
    };
    expect(await figures(path)).toEqual(await figures(fixture('us-gdp.csv')));
  });

  it.each([
    ['a figure that cannot be', '9477.1,,9297.8', '-9477.1,,9297.8', '2:actual: "-9477.1" is not above zero'],
    ['a figure that is none', '9477.1,,9297.8', 'n/a,,9297.8', '2:actual: "n/a" is not a number'],
    ['a day that is none', '2000-02-25', '2000-02-31', '3:release_date: "2000-02-31" is not a day'],
    ['another frequency', '1999Q4,advance', '1999-12,advance', '2:reference_period: "1999-12" is not a period of GDP'],
    [
      'a release before its period ended',
      '2000-01-28',
      '1999-12-28',
      '2:reference_period: "1999Q4" had not ended on the day of its release',
    ],
    [
      'a print of no number',
      '2nd print',
      'another print',
      '3:estimate: "another print" is not an estimate that is known',
    ],
    ['a column too many', '2000-02-25,US,', '2000-02-25,US,x,', '3:: expected 11 columns and found 12'],
    ['bytes of another encoding', '"Gross', '"Gr\ufffdoss', '2:: the line holds bytes that are not text in UTF-8'],
  ])('refuses %s, and publishes nothing of any day', async (_, good, bad, reason) => {
    const path = await files.write('bad.csv', text('us-gdp.csv').replace(good, bad));
    const [first] = await releases.open([path], null);
    expect((await read(first)).bad.map(spot)).toEqual([reason]);
    await expect(publish([path])).rejects.toThrow('1 bad row, nothing was published');
    expect(await revisions()).toBe(0);
  });

  it('refuses a line that the end of the file cuts', async () => {
    const path = await files.write('cut.csv', text('us-gdp.csv').trim().slice(0, -1));
    const [first] = await releases.open([path], null);
    expect((await read(first)).bad.map(spot)).toEqual([expect.stringMatching(/^6:: the file ends inside this line/)]);
  });

  it('refuses a day that appears twice with different figures', async () => {
    const lines = text('us-cpi.csv').trim().split('\n');
    const twice = [...lines, lines.at(-1)?.replace('315.605', '315.650') ?? '', ''].join('\n');
    const path = await files.write('twice.csv', twice);
    await expect(publish([path])).rejects.toThrow('1 bad row, nothing was published');
  });

  it.each([
    ['a page of HTML', '<html><body>Not found</body></html>', 'is a page of HTML or XML that says "Not found"'],
    ['an empty file', '', 'is empty'],
    [
      'a list without figures',
      'release_date,release_id,release_name\n2024-09-23,17,H.10\n',
      'is neither a list of releases',
    ],
    [
      'a list that lacks a column',
      'release_date,region,series,actual\n2000-01-28,US,GDP,1\n',
      'lacks the column "reference_period"',
    ],
    [
      'a header alone',
      'release_date,region,series,reference_period,estimate,actual,previous_period_value\n',
      'has a header and no rows',
    ],
    ['a ZIP archive', Buffer.from('PK\u0003\u0004'), 'is a ZIP archive'],
    ['text in UTF-16', Buffer.from('\ufeffrelease_date', 'utf16le'), 'is not text in UTF-8'],
  ])('refuses %s', async (_, content, message) => {
    const path = await files.write('odd.csv', content);
    await expect(releases.open([path], null)).rejects.toThrow(message);
  });

  it('accepts no other day than the list states', async () => {
    await expect(releases.open([fixture('us-gdp.csv')], '2026-01-01')).rejects.toThrow('omit --vintage');
  });
});

describeWithSharedData('The importer of releases on the lists of a quarter of a century', () => {
  const LISTS = ['us-gdp-releases', 'us-cpi-releases', 'us-fed-target-changes'].map((name) =>
    sharedData('release-calendar', `${name}.csv`),
  );

  it('reads every row', async () => {
    const deliveries = await releases.open(LISTS, null);
    let events = 0;
    for (const delivery of deliveries) {
      const said = await read(delivery);
      expect(said.bad).toEqual([]);
      events += said.events.length;
    }
    expect(events).toBe(296 + 271 + 30);
    expect(deliveries.map(({ vintage }) => vintage)).toEqual(
      [...new Set(deliveries.map(({ vintage }) => vintage))].sort(),
    );
  });

  it('derives every change of the policy rate except the first, which begins the list', async () => {
    await publish(LISTS.slice(2));
    const decisions = await changes();
    expect(decisions).toHaveLength(29);
    expect(new Set(decisions.map(({ kind }) => kind))).toEqual(new Set(['decision']));
  });

  it('refuses the list of days, which has no figures', async () => {
    const path = sharedData('release-calendar', 'fred-releases-dates-2024-09_2025-01.csv');
    await expect(releases.open([path], null)).rejects.toThrow('is neither a list of releases');
  });
});
