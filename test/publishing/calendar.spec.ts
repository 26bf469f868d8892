import { join } from 'node:path';
import { importFiles } from '../../src/publish/import/import-files.js';
import { releases } from '../../src/publish/publishers/releases/releases.importer.js';
import { withholdSource } from '../../src/publish/versions/withhold-source.js';
import { useScratchFiles } from '../support/scratch-files.js';
import { usePublishing, type Settings } from './publishing.js';
import { read, spot } from './reading.js';

const NOW = new Date('2026-11-21T10:00:00Z');
const schedules = join(__dirname, '../fixtures/calendar/schedules');
const first = join(schedules, '2026-11-01');
const second = join(schedules, '2026-11-10');
const HEADER = 'release_date,time,time_zone,indicator,region,period,estimate,status,source_url';
const CPI = '2026-12-10,08:30,America/New_York,consumer-price-index,US,2026-11,,scheduled,https://www.example.gov/s';

const { sql, revisions, publisher } = usePublishing();
const files = useScratchFiles();

const publish = async (paths: string[], vintage: string | null = null, settings: Settings = {}) =>
  importFiles(publisher(), releases, await releases.open(paths, vintage), {
    accept: 'a test',
    now: () => NOW,
    ...settings,
  });
const schedule = (...lines: string[]): Promise<string> =>
  files.write('schedule.csv', `${[HEADER, ...lines].join('\n')}\n`);
const event = async (indicator: string, estimate: number | null) =>
  (
    await sql<Record<string, unknown>>(
      `SELECT id, scheduled_on AS day, status, vintage_day AS stated FROM calendar_events
       WHERE indicator = $1 AND estimate IS NOT DISTINCT FROM $2 ORDER BY scheduled_on LIMIT 1`,
      [indicator, estimate],
    )
  )[0];
const history = () =>
  sql(
    `SELECT e.indicator, e.estimate, h.scheduled_on AS day, h.status, h.vintage_day AS stated, h.replaced_on AS replaced
     FROM calendar_event_history h JOIN calendar_events e ON e.id = h.event_id ORDER BY e.indicator, e.estimate`,
  );

describe('A release schedule', () => {
  it('moves, postpones and cancels events, and keeps their earlier states', async () => {
    await publish([first]);
    const before = await event('nominal-gdp-annual-rate', 2);
    const [report] = await publish([second]);
    expect(report?.counts).toMatchObject({ events: 4, eventsMade: 0, eventsMoved: 3 });
    expect(await event('nominal-gdp-annual-rate', 2)).toEqual({
      id: before?.['id'],
      day: '2026-12-02',
      status: 'scheduled',
      stated: '2026-11-10',
    });
    expect(await event('consumer-price-index', null)).toMatchObject({ day: '2026-12-10', status: 'cancelled' });
    expect(await event('policy-rate-upper', null)).toMatchObject({ stated: '2026-11-01' });
    const said = { stated: '2026-11-01', replaced: '2026-11-10', status: 'scheduled' };
    expect(await history()).toEqual([
      { indicator: 'consumer-price-index', estimate: null, day: '2026-12-10', ...said },
      { indicator: 'nominal-gdp-annual-rate', estimate: 2, day: '2026-11-25', ...said },
      { indicator: 'nominal-gdp-annual-rate', estimate: 3, day: '2026-12-22', ...said },
    ]);
  });

  it('does not change events that it does not name', async () => {
    await publish([first]);
    await publish([second]);
    expect(await sql(`SELECT count(*) FROM calendar_events WHERE status = 'scheduled'`)).toEqual([{ count: 4 }]);
  });

  it('changes nothing on a second import', async () => {
    await publish([schedules]);
    const before = await revisions();
    const reports = await publish([schedules]);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged']);
    expect(await revisions()).toBe(before);
  });

  it('does not change events of a newer schedule', async () => {
    await publish([second]);
    await publish([first]);
    expect(await event('nominal-gdp-annual-rate', 2)).toMatchObject({ day: '2026-12-02' });
    expect(await event('nominal-gdp-annual-rate', 3)).toMatchObject({ status: 'postponed' });
    expect(await history()).toEqual([]);
  });

  it('needs --replace to contradict a schedule of the same day', async () => {
    await publish([await schedule(CPI)], '2026-11-01');
    const other = await schedule(CPI.replace('12-10', '12-11'));
    await expect(publish([other], '2026-11-01')).rejects.toThrow(
      'differs for consumer-price-index US 2026-11. With --replace',
    );
    const [report] = await publish([other], '2026-11-01', { replace: true });
    expect(report?.kind).toBe('replace');
    expect(await event('consumer-price-index', null)).toMatchObject({ day: '2026-12-11' });
  });

  it('needs a vintage day', async () => {
    await expect(publish([await schedule(CPI)])).rejects.toThrow('give --vintage YYYY-MM-DD');
  });

  it('lists codes that the catalogue does not name', async () => {
    const [report] = await publish(
      [await schedule(CPI, CPI.replace('consumer-price-index', 'moon-phase'))],
      '2026-11-01',
    );
    expect(report?.unnamed.map(({ kind, code }) => [kind, code])).toEqual([['indicator', 'moon-phase']]);
    expect(report?.counts['eventsMade']).toBe(1);
  });

  it('converts local times to instants on both sides of a clock change', async () => {
    await publish([first]);
    const at = await sql(
      `SELECT period, to_char(scheduled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS at FROM calendar_events
       WHERE scheduled_on >= '2027-01-01' ORDER BY scheduled_on`,
    );
    expect(at).toEqual([
      { period: '2027-02', at: '2027-03-12 13:30' },
      { period: '2026-Q4', at: '2027-03-30 12:30' },
    ]);
  });

  it.each([
    ['release_date', '2026-12-10', '2026-12-32'],
    ['time', '08:30', '24:30'],
    ['time_zone', 'America/New_York', 'Mars/Base'],
    ['period', '2026-11', '2026-Q4'],
    ['estimate', ',,scheduled', ',0,scheduled'],
    ['status', 'scheduled', 'perhaps'],
    ['source_url', 'https://', 'http://'],
  ])('refuses a line with a wrong %s', async (column, good, bad) => {
    const path = await schedule(CPI.replace(good, bad));
    const [delivery] = await releases.open([path], '2026-11-01');
    expect((await read(delivery)).bad.map(spot)).toEqual([expect.stringContaining(`2:${column}: `)]);
    await expect(publish([path], '2026-11-01')).rejects.toThrow('nothing was published');
  });

  it('refuses a time that the clock skips', async () => {
    const path = await schedule(CPI.replace('2026-12-10,08:30', '2027-03-14,02:30'));
    const [delivery] = await releases.open([path], '2026-11-01');
    expect((await read(delivery)).bad.map(spot)).toEqual([
      '2:time: "02:30" is not a time that clocks show there on that day',
    ]);
  });

  it('refuses one event on two days', async () => {
    const path = await schedule(CPI, CPI.replace('12-10', '12-11'));
    await expect(publish([path], '2026-11-01')).rejects.toThrow('1 bad row, nothing was published');
  });
});

describe('The events of a withheld source', () => {
  it('are hidden from the service, as are those of a withheld series', async () => {
    await sql(`UPDATE sources SET withheld = (id = 'bis')`);
    await publish([first]);
    await withholdSource(publisher(), 'bea', () => NOW);
    await sql(
      `INSERT INTO series (indicator, region, source_id, origins, withheld, baseline_day)
       VALUES ('consumer-price-index', 'US', 'bls', '{bis}', false, '2026-07-01')`,
    );
    const shown = await sql<{ indicator: string }>('SELECT DISTINCT indicator FROM calendar_events WHERE NOT withheld');
    expect(shown).toEqual([{ indicator: 'policy-rate-upper' }]);
    await sql(`UPDATE series SET origins = '{}' WHERE indicator = 'consumer-price-index'`);
    await sql(`UPDATE sources SET withheld = (id = 'bis')`);
    expect(await sql('SELECT id FROM calendar_events WHERE withheld')).toEqual([]);
  });
});
