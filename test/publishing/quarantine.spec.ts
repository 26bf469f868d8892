// runs: in full only
import { importFiles } from '../../src/publish/import/import-files.js';
import { findHeld, listHeld } from '../../src/publish/audit/held-deliveries.js';
import { listExceptions } from '../../src/publish/audit/exceptions.js';
import { retractVersion } from '../../src/publish/versions/retract-version.js';
import { endWaitsOf } from '../../src/publish/versions/end-waits.js';
import { byYear, GDP, GROWTH, mapped, PEOPLE, times } from './audited.js';
import { deliveryOf, OWN, type Figures } from './deliveries.js';
import { NOW, usePublishing, type Settings } from './publishing.js';

const { publish, publisher, revisions, sql } = usePublishing();
const JUDGED = { accept: undefined } as unknown as Settings;

const STORED: Figures = { ...GDP, ...PEOPLE, ...GROWTH };
/** A year more of all, or of some with a wrong figure for Japan's GDP. */
const later = (gdpOfJapan: string, year = '2025'): Figures => ({
  ...mapped(STORED, (value) => value),
  'gdp JP': { ...STORED['gdp JP'], [year]: gdpOfJapan },
  'gdp DE': { ...STORED['gdp DE'], [year]: '4700000000000' },
  'population JP': { ...STORED['population JP'], [year]: '123400000' },
  'population DE': { ...STORED['population DE'], [year]: '83600000' },
});
const WRONG = later('4100000000');
const RIGHT = later('4100000000000');

const newest = () =>
  sql<{ series: string; value: string }>(
    `SELECT concat_ws(' ', s.indicator, s.region) AS series, o.value FROM observations o JOIN series s ON s.id = o.series_id
     WHERE o.valid_to IS NULL AND o.period = '2025' ORDER BY 1`,
  );
const waiting = async () =>
  (await listHeld(publisher(), false)).flatMap(({ waiting }) => waiting.map(({ series }) => series));

describe('A delivery with a wrong series', () => {
  beforeEach(() => publish('2026-01-10', STORED));

  it('is published without that series, which waits', async () => {
    const report = await publish('2026-07-01', WRONG, JUDGED);
    expect(report).toMatchObject({
      outcome: 'published',
      quarantined: [{ series: 'gdp JP', checks: ['jump'] }],
      counts: { changed: 3 },
    });
    expect((await newest()).map(({ series }) => series)).toEqual(['gdp DE', 'population DE', 'population JP']);
    const held = await findHeld(publisher(), report.heldDelivery ?? 0);
    expect(held).toMatchObject({ state: 'held', publishedWith: 2 });
    expect(held.waiting).toEqual([
      {
        series: 'gdp JP',
        since: '2026-07-01',
        checks: ['jump'],
        stored: [...Object.values(GDP['gdp JP'] ?? {}), null],
        given: Object.values(WRONG['gdp JP'] ?? {}),
      },
    ]);
  });

  it('changes nothing when it comes again', async () => {
    const first = await publish('2026-07-01', WRONG, JUDGED);
    const again = await publish('2026-07-01', WRONG, JUDGED);
    expect(again).toMatchObject({ outcome: 'unchanged', heldDelivery: first.heldDelivery });
    const tomorrow = await publish('2026-07-02', WRONG, { ...JUDGED, onlyDifferences: true });
    expect(tomorrow).toMatchObject({ outcome: 'unchanged', heldDelivery: first.heldDelivery });
    expect([await revisions(), await waiting()]).toEqual([2, ['gdp JP']]);
  });

  it('stops waiting once the publisher gives the series right', async () => {
    await publish('2026-07-01', WRONG, JUDGED);
    const healed = await publish('2026-07-01', RIGHT, JUDGED);
    expect(healed).toMatchObject({ outcome: 'published', findings: [], counts: { changed: 1 } });
    expect(await waiting()).toEqual([]);
    expect((await listHeld(publisher(), true)).map(({ state }) => state)).toEqual(['superseded']);
  });

  it('keeps the day since which its series waits over later deliveries', async () => {
    await publish('2026-07-01', WRONG, JUDGED);
    await publish('2026-07-08', later('4200000000'), JUDGED);
    const [held, ...others] = await listHeld(publisher(), false);
    expect(others).toEqual([]);
    expect(held).toMatchObject({ vintage: '2026-07-08', waiting: [{ since: '2026-07-01' }] });
  });

  it('is retracted together with what waits of it', async () => {
    await publish('2026-06-01', later('4000000000', '2024'), JUDGED);
    const [before] = await listHeld(publisher(), false);
    await publish('2026-07-01', WRONG, JUDGED);
    await retractVersion(publisher(), 3, 'a test', () => NOW);
    expect(await listHeld(publisher(), false)).toEqual([before]);
    expect(await newest()).toEqual([]);
  });

  it('serves the last accepted state after its series is dropped, and does not ask again', async () => {
    const { heldDelivery } = await publish('2026-07-01', WRONG, JUDGED);
    const held = await findHeld(publisher(), heldDelivery ?? 0);
    const decision = { state: 'dropped' as const, at: NOW, by: 'ada', reason: 'a misprint' };
    await expect(endWaitsOf(publisher(), held, ['gdp DE'], decision)).rejects.toThrow("no waiting series 'gdp DE'");
    await endWaitsOf(publisher(), held, ['gdp JP'], decision);
    expect(await publish('2026-07-01', WRONG, JUDGED)).toMatchObject({ outcome: 'unchanged' });
    expect([await waiting(), await revisions()]).toEqual([[], 3]);
  });

  it('rehearses the quarantine in a dry run, and holds nothing', async () => {
    const report = await publish('2026-07-01', WRONG, { ...JUDGED, dryRun: true });
    expect(report).toMatchObject({ outcome: 'rehearsed', quarantined: [{ series: 'gdp JP' }] });
    expect(await listHeld(publisher(), true)).toEqual([]);
  });
});

describe('A delivery whose only new figure is wrong', () => {
  const lone = (gdp: string): Figures => ({ 'gdp JP': { ...STORED['gdp JP'], '2025': gdp } });
  beforeEach(() => publish('2026-01-10', STORED));

  it('lets its series wait, from a data version of its own on', async () => {
    const report = await publish('2026-07-01', lone('4100000000'), JUDGED);
    expect(report).toMatchObject({ outcome: 'held', dataVersion: 2, quarantined: [{ series: 'gdp JP' }] });
    expect([await newest(), await waiting(), await revisions()]).toEqual([[], ['gdp JP'], 2]);
    expect(await publish('2026-07-01', lone('4100000000'), JUDGED)).toMatchObject({ outcome: 'unchanged' });
  });

  it('is retracted', async () => {
    await publish('2026-07-01', lone('4100000000'), JUDGED);
    await retractVersion(publisher(), 2, 'a test', () => NOW);
    expect(await listHeld(publisher(), true)).toEqual([]);
  });

  it('holds up none of the deliveries after it', async () => {
    const wrong = deliveryOf('2026-07-01', { figures: lone('4100000000') });
    const right = deliveryOf('2026-07-02', { figures: lone('4100000000000') });
    const reports = await importFiles(publisher(), OWN, [wrong, right], { now: () => NOW });
    expect(reports.map(({ outcome }) => outcome)).toEqual(['held', 'published']);
    expect(await waiting()).toEqual([]);
  });
});

describe('A delivery in which a fifth of an indicator is wrong', () => {
  it('publishes nothing of that indicator', async () => {
    const regions = ['JP', 'DE', 'US', 'FR', 'GB', 'IT', 'CA', 'BR', 'IN', 'ZA', 'MX', 'ES', 'PL', 'SE'];
    const gdp = Object.fromEntries(regions.map((code) => [`gdp ${code}`, GDP['gdp DE'] ?? {}]));
    await publish('2026-01-10', { ...gdp, ...PEOPLE });
    const spoilt = mapped(
      Object.fromEntries(
        Object.entries({ ...gdp, ...PEOPLE }).map(([series, values]) => [
          series,
          { ...values, '2025': String(Number(values['2024']) * 1.02) },
        ]),
      ),
      (value, period, series) =>
        period === '2025' && /JP|US|FR/.test(series) && series.startsWith('gdp') ? times(1e-6)(value) : value,
    );
    const more = Object.fromEntries(regions.map((code) => [`gdp-growth ${code}`, byYear(2024, ['1', '2'])]));
    const report = await publish('2026-07-01', { ...spoilt, ...more }, JUDGED);
    expect(report.quarantined).toHaveLength(regions.length);
    expect((await newest()).some(({ series }) => series.startsWith('gdp '))).toBe(false);
  });
});

describe('An accepted figure that fails a check', () => {
  const reserves = (value: string, other = '7200000000'): Figures => ({
    'total-reserves TD': byYear(1967, ['4012345', value]),
    'total-reserves DE': byYear(1967, ['7100000000', other]),
    'total-reserves JP': byYear(1967, ['2000000000', other.slice(1)]),
  });
  const CHAD = '-4810495.80755463';

  it('passes while the publisher repeats it, also with other last digits', async () => {
    await publish('2026-01-10', reserves(CHAD), { accept: 'ada: as printed' });
    expect(await listExceptions(publisher())).toMatchObject([
      { series: 'total-reserves TD', check: 'bounds', period: '1968', value: CHAD, reason: 'ada: as printed' },
    ]);
    const repeated = await publish('2026-07-01', reserves('-4810495.80882963', '7300000000'), JUDGED);
    expect(repeated).toMatchObject({ outcome: 'published', findings: [], quarantined: [] });
    const other = await publish('2026-08-01', reserves('-9810495', '7400000000'), JUDGED);
    expect(other.quarantined).toMatchObject([{ series: 'total-reserves TD' }]);
  });

  it('is asked again after its data version is retracted', async () => {
    await publish('2025-01-10', reserves('4100000'));
    await publish('2026-01-10', reserves(CHAD, '7300000000'), { accept: 'ada' });
    await retractVersion(publisher(), 2, 'a test', () => NOW);
    expect(await listExceptions(publisher())).toEqual([]);
  });
});
