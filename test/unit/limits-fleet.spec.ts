import fc from 'fast-check';
import { Fleet } from '../../src/limits/fleet.js';

const MINUTE_MS = 60_000;
const ids = Array.from({ length: 8 }, (_, index) => `instance-${String(index)}`);

function fleetOf(id: string, known: readonly string[], hasShare = true): Fleet {
  const fleet = new Fleet(id);
  fleet.report(0, 1, hasShare, known);
  return fleet;
}

describe('The shares of the reserve', () => {
  it('are the reserve, all together', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.nat(40), fc.uuid(), (count, reserve, key) => {
        const members = ids.slice(0, count);
        const shares = members.map((id) => fleetOf(id, members).shareOf(key, reserve));
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(reserve);
      }),
    );
  });

  it('never exceed it while instances know different instances, but all with a share', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.subarray(ids), { minLength: 8, maxLength: 8 }),
        fc.nat(40),
        fc.uuid(),
        (count, others, reserve, key) => {
          const members = ids.slice(0, count);
          const shares = members.map((id, index) =>
            fleetOf(id, [...new Set([...members, ...(others[index] ?? [])])]).shareOf(key, reserve),
          );
          expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(reserve);
        },
      ),
    );
  });

  it('are nothing for an instance that Redis has not given one', () => {
    expect(new Fleet('one').shareOf('account', 30)).toBe(0);
    expect(fleetOf('one', ['one'], false).shareOf('account', 30)).toBe(0);
  });

  it('grow a minute after an instance was last reported, and not while Redis was away', () => {
    const fleet = fleetOf('one', ['one', 'two']);
    fleet.report(10 * MINUTE_MS, 2, true, ['one']);
    expect(fleet.shareOf('account', 30)).toBe(15);
    for (let at = 0; at <= MINUTE_MS + 1_000; at += 1_000)
      fleet.report(10 * MINUTE_MS + at, 3, true, ['one']);
    expect(fleet.shareOf('account', 30)).toBe(30);
  });
});
