import fc from 'fast-check';
import { deriveReleasesAndRevisions, type KnownRange } from '../../src/publish/derive/release-revision.rule.js';

const EARLY = '2026-01-10';
const DAY = '2026-02-10';
const LATER = '2026-03-10';

const range = (period: string, value: string, from: string, to: string | null = null): KnownRange => ({
  period,
  value,
  from,
  to,
});

const derived = (...ranges: KnownRange[]) =>
  deriveReleasesAndRevisions(ranges, DAY).map(({ kind, period }) => `${kind} ${period}`);

describe('The rule of releases and revisions', () => {
  it('releases only the newest of several new periods', () => {
    expect(derived(range('2022', '1', EARLY), range('2023', '2', DAY), range('2024', '3', DAY))).toEqual([
      'release 2024',
    ]);
  });

  it.each([
    ['the same vintage revised it', [range('2022', '1', EARLY, DAY), range('2022', '1.1', DAY)], '1'],
    [
      'it moved by less than its digits show',
      [range('2022', '1', EARLY, DAY), range('2022', '1.0001', DAY)],
      undefined,
    ],
    [
      'it moved by what its digits show',
      [range('2022', '15467.8', EARLY, DAY), range('2022', '15478.3', DAY)],
      '15467.8',
    ],
    ['it stands', [range('2022', '1', EARLY)], undefined],
    ['it is back after a withdrawal', [range('2022', '1', EARLY, '2026-01-20'), range('2022', '1.1', DAY)], undefined],
    ['it is new as well', [range('2021', '1', EARLY), range('2022', '1', DAY)], undefined],
  ])('knows of the figure before a release whether %s', (_, before, revised) => {
    const [release] = deriveReleasesAndRevisions([...before, range('2023', '2', DAY)], DAY);
    expect(release).toMatchObject({ kind: 'release', period: '2023' });
    expect(release?.previousRevised).toBe(revised);
  });

  it('treats an older period that arrives later as backfill', () => {
    expect(derived(range('2020', '1', DAY), range('2022', '1', EARLY))).toEqual([]);
  });

  it('treats a period as new only if none as new was ever known, also one that has vanished', () => {
    expect(derived(range('2023', '1', DAY), range('2024', '1', EARLY, '2026-01-20'))).toEqual([]);
  });

  it('revises above 0.1 % of the larger absolute value, and not at exactly that', () => {
    expect(derived(range('2022', '1000', EARLY, DAY), range('2022', '999', DAY))).toEqual([]);
    expect(derived(range('2022', '1000', EARLY, DAY), range('2022', '998.9', DAY))).toEqual(['revision 2022']);
    expect(derived(range('2022', '-1', EARLY, DAY), range('2022', '1', DAY))).toEqual(['revision 2022']);
    expect(derived(range('2022', '0', EARLY, DAY), range('2022', '0.0001', DAY))).toEqual(['revision 2022']);
  });

  describe('in a vintage that restates most periods', () => {
    const restated = (count: number, of: number) =>
      deriveReleasesAndRevisions(
        Array.from({ length: of }, (_, index) => String(2000 + index)).flatMap((period, index) =>
          index < count
            ? [range(period, '100', EARLY, DAY), range(period, String(101 + index), DAY)]
            : [range(period, '100', EARLY)],
        ),
        DAY,
      );

    it('gathers them in one revision, of the newest restated period', () => {
      expect(restated(6, 10)).toEqual([
        {
          kind: 'revision',
          period: '2005',
          actual: '106',
          previous: { period: '2005', basis: 'vintage', value: '100', missing: null, knownSince: EARLY },
          rebasing: { periods: 6, since: '2000', median: '3.5', medianPercent: '3.5' },
          restated: [
            { period: '2005', previous: '100', actual: '106' },
            { period: '2004', previous: '100', actual: '105' },
            { period: '2003', previous: '100', actual: '104' },
          ],
        },
      ]);
    });

    it.each([
      ['by one factor, as another base period does', ['50.00', '50.51', '51.02', '51.52', '52.03'], true],
      ['by several', ['50.00', '50.51', '51.02', '51.52', '53.03'], undefined],
      ['by a factor as small as a correction', ['99.5', '100.5', '101.5', '102.5', '103.5'], undefined],
    ])('recognises that it did so %s', (_, values, proportional) => {
      const ranges = values.flatMap((value, index) => {
        const period = `2025-0${String(index + 1)}`;
        return [range(period, String(100 + index * 1.01), EARLY, DAY), range(period, value, DAY)];
      });
      expect(deriveReleasesAndRevisions(ranges, DAY).map((one) => one.proportional)).toEqual([proportional]);
    });

    it('gathers none if half of the periods or fewer, or only four, are restated', () => {
      expect(restated(5, 10)).toHaveLength(5);
      expect(restated(4, 4)).toHaveLength(4);
      expect(restated(5, 5)).toHaveLength(1);
    });

    it('keeps the release of a new period', () => {
      const ranges = ['2018', '2019', '2020', '2021', '2022'].flatMap((period) => [
        range(period, '-1', EARLY, DAY),
        range(period, '2', DAY),
      ]);
      const [release, revision, ...rest] = deriveReleasesAndRevisions([...ranges, range('2023', '3', DAY)], DAY);
      expect([release?.kind, revision?.kind, rest]).toEqual(['release', 'revision', []]);
      expect(revision?.rebasing).toEqual({ periods: 5, since: '2018', median: '3', medianPercent: null });
    });
  });

  it('restates no figure that vanishes or returns', () => {
    expect(derived(range('2022', '1', EARLY, DAY))).toEqual([]);
    expect(derived(range('2022', '1', EARLY, '2026-01-20'), range('2022', '2', DAY))).toEqual([]);
  });

  it('compares a release with the calendar period before it, as known that day', () => {
    const [change] = deriveReleasesAndRevisions(
      [range('2023', '1', EARLY, DAY), range('2023', '1.5', DAY), range('2024', '3', DAY)],
      DAY,
    );
    expect(change?.previous).toEqual({ period: '2023', basis: 'period', value: '1.5', missing: null, knownSince: DAY });
  });

  it('gives the reason for a missing figure of the previous period, and uses no older one', () => {
    const [never] = deriveReleasesAndRevisions([range('2022', '1', EARLY), range('2024', '3', DAY)], DAY);
    expect(never?.previous).toMatchObject({ period: '2023', value: null, missing: 'not_published' });
    const [gone] = deriveReleasesAndRevisions([range('2023', '1', EARLY, DAY), range('2024', '3', DAY)], DAY);
    expect(gone?.previous).toMatchObject({ period: '2023', value: null, missing: 'withdrawn_by_source' });
  });

  it('is independent of later vintages', () => {
    const periods = ['2020', '2021', '2022', '2023', '2024'];
    const cell = fc.record({ known: fc.boolean(), first: fc.nat(50), second: fc.nat(50), third: fc.nat(50) });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 5, maxLength: 5 }), (cells) => {
        const upTo = (ends: boolean): KnownRange[] =>
          cells.flatMap(({ known, first, second, third }, at) => [
            ...(known ? [range(periods[at] ?? '', String(first), EARLY, DAY)] : []),
            range(periods[at] ?? '', String(second), DAY, ends ? LATER : null),
            ...(ends ? [range(periods[at] ?? '', String(third), LATER)] : []),
          ]);
        expect(deriveReleasesAndRevisions(upTo(true), DAY)).toEqual(deriveReleasesAndRevisions(upTo(false), DAY));
      }),
    );
  });
});
