import { releaseAfter, type Timetable } from '../../src/domain/figures/timetable.js';
import {
  nextAfterKilled,
  nextAttempt,
  type EndedAttempt,
  type AttemptOutcome,
} from '../../src/publish/sync/schedule.js';
import { syncedPublisher } from '../../src/publish/sync/synced-publishers.js';
import { PUBLISHER_NAMES, SYNCED_PUBLISHERS } from '../../src/publish/publishers/publisher-names.js';
import { IMPORTERS } from '../../src/publish/publishers/importers.js';

const timetablesOf = (publisher: string): readonly Timetable[] => {
  const importer = IMPORTERS[publisher];
  if (importer === undefined) throw new Error(`No importer ${publisher}`);
  return syncedPublisher(importer).timetables;
};
const ECB = timetablesOf('ecb');
/** A Friday; the ECB publishes at 15:00 UTC in winter. */
const FRIDAY = '2026-11-20T15:00:00.000Z';
const MONDAY = '2026-11-23T15:00:00.000Z';

const ended = (
  outcome: AttemptOutcome,
  traits: Partial<Record<'at' | 'vintage', string>> & { streak?: number; waits?: boolean } = {},
): EndedAttempt => {
  const at = new Date(traits.at ?? FRIDAY);
  const { vintage = null, streak = 1, waits = false } = traits;
  return { outcome, startedAt: at, endedAt: at, vintage, streak, waits };
};
const next = (attempt: EndedAttempt, expected: string | null = null, timetables = ECB): string =>
  nextAttempt(attempt, timetables, expected === null ? null : new Date(expected)).toISOString();
const pauses = (outcome: AttemptOutcome, expected: string): number[] =>
  [1, 2, 3, 4, 5, 6, 7, 8].map(
    (streak) => (Date.parse(next(ended(outcome, { streak }), expected)) - Date.parse(FRIDAY)) / 60_000,
  );

describe('A publisher is due again', () => {
  it('at the next release after figures came', () => {
    expect(next(ended('new', { vintage: '2026-11-20' }), MONDAY)).toBe(MONDAY);
  });

  it('at the earliest release of all its timetables', () => {
    const weekly = ended('new', { at: '2026-11-25T18:00:00Z' });
    expect(next(weekly, null, timetablesOf('eia'))).toBe('2026-12-02T18:00:00.000Z');
  });

  it('at the next release after nothing new came and nothing was expected', () => {
    expect(next(ended('nothing new'))).toBe(MONDAY);
    expect(next(ended('nothing new'), '2027-01-01T12:00:00Z')).toBe(MONDAY);
  });

  it('at the next release after a delivery was held for more than a day', () => {
    expect(next(ended('held'), FRIDAY)).toBe(MONDAY);
  });

  it('after pauses that double up to a day while an expected figure has not come', () => {
    expect(pauses('nothing new', FRIDAY)).toEqual([15, 30, 60, 120, 240, 480, 960, 1440]);
  });

  it('after pauses that double up to twenty minutes while it fails, and at a release in any case', () => {
    expect(pauses('failed', FRIDAY)).toEqual([5, 10, 20, 20, 20, 20, 20, 20]);
    expect(next(ended('failed', { at: '2026-11-23T14:55:00Z', streak: 8 }))).toBe(MONDAY);
  });

  it('after a quarter of an hour while a file that looks wrong may be mended', () => {
    expect(next(ended('held', { waits: true }))).toBe('2026-11-20T15:15:00.000Z');
    expect(next(ended('new', { vintage: '2026-11-20', waits: true }))).toBe('2026-11-20T15:15:00.000Z');
  });

  it('soon after figures came that lack the expected one', () => {
    const late = ended('new', { at: FRIDAY, vintage: '2026-11-19' });
    expect(next(late, FRIDAY)).toBe('2026-11-20T15:15:00.000Z');
  });

  it('on the next day at the earliest if the vintage of this day is published', () => {
    const wednesday = ended('new', { at: '2026-11-25T09:00:00Z', vintage: '2026-11-25' });
    expect(next(wednesday, null, timetablesOf('eia'))).toBe('2026-11-26T00:00:00.000Z');
  });

  it('at once after its process was killed, and with pauses if it is killed each time', () => {
    const at = new Date(FRIDAY);
    const minutes = [1, 2, 3].map((streak) => (nextAfterKilled(at, streak).getTime() - at.getTime()) / 60_000);
    expect(minutes).toEqual([0, 5, 10]);
  });
});

describe('The release after an instant', () => {
  it.each([
    ['ecb', '2026-11-20T14:59:59Z', FRIDAY],
    ['ecb', FRIDAY, MONDAY],
    // Summer time begins on 29 March.
    ['ecb', '2026-03-27T15:00:00Z', '2026-03-30T14:00:00.000Z'],
    // 02:00 UTC is still the day before in New York.
    ['us-treasury', '2026-11-21T02:00:00Z', '2026-11-23T23:00:00.000Z'],
    ['estat', '2026-04-01T00:00:00Z', '2027-03-31T05:00:00.000Z'],
  ])('of %s at %s is %s', (publisher, instant, expected) => {
    const [timetable] = timetablesOf(publisher);
    expect(timetable && releaseAfter(timetable, new Date(instant))).toBe(expected);
  });
});

describe('sync', () => {
  it('knows every publisher with a live path', () => {
    const live = Object.values(IMPORTERS).flatMap((one) => (one.fetch === undefined ? [] : [one.publisher]));
    expect([...SYNCED_PUBLISHERS].sort()).toEqual(live.sort());
    expect([...PUBLISHER_NAMES]).toEqual(Object.keys(IMPORTERS));
  });
});
