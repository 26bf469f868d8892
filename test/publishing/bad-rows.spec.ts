import { BadRowsError } from '../../src/publish/publication/bad-rows.js';
import { deliveryOf, type DeliveryTraits } from './deliveries.js';
import { growth, usePublishing } from './publishing.js';

const { current, publish, revisions, run } = usePublishing();

describe('Bad rows', () => {
  const place = { file: 'figures.csv', line: 7, column: 'Value' };
  const bad = [
    { place, reason: '"n/a" is not a number', cell: { indicator: 'gdp-growth', region: 'JP', period: '2024' } },
  ];
  const given: DeliveryTraits = {
    figures: growth({ 2023: '1.7' }),
    speaks: { 'gdp-growth JP': ['2022', '2024'] },
    bad,
  };
  beforeEach(() => publish('2026-01-10', growth({ 2022: '3', 2023: '1.5', 2024: '0.1' })));

  it('leave the current data version in place', async () => {
    const refused = await publish('2026-02-10', given).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(BadRowsError);
    expect(refused).toMatchObject({ count: 1, listed: bad });
    expect((await current()).map(({ value }) => value)).toEqual(['3', '1.5', '0.1']);
    expect(await revisions()).toBe(1);
  });

  it('are left out and listed with --skip-bad-rows, and close no figure', async () => {
    const report = await publish('2026-02-10', given, { skipBadRows: true });
    expect(report.leftOut).toEqual(bad);
    expect(await current()).toEqual([
      { period: '2023', value: '1.7' },
      { period: '2024', value: '0.1' },
    ]);
  });

  it('keep the whole delivery from closing anything if their figure is unknown', async () => {
    const unknown = [{ place, reason: 'the line is cut' }];
    await publish('2026-02-10', { ...given, bad: unknown }, { skipBadRows: true });
    expect((await current()).map(({ value }) => value)).toEqual(['3', '1.7', '0.1']);
  });

  it('include duplicate figures, with both positions', async () => {
    const twice = deliveryOf('2026-02-10', { figures: growth({ 2024: '0.2' }) });
    const again = { ...deliveryOf('2026-02-10', { figures: growth({ 2024: '0.3' }) }) };
    const both = {
      ...twice,
      async *read(onBytes: (count: number) => void) {
        yield* twice.read(onBytes);
        yield* again.read(onBytes);
      },
    };
    const error = await run(both).catch((failure: unknown) => failure as BadRowsError);
    expect(error).toMatchObject({
      count: 1,
      listed: [
        {
          place: { file: 'figures.csv', line: 2, column: '2024' },
          reason: 'gdp-growth JP 2024 is given twice: 0.3 here, 0.2 in figures.csv:2, 2024',
        },
      ],
    });
  });
});
