import fc from 'fast-check';
import { Fleet } from '../../src/serve/limits/fleet.js';

const MINUTE_MS = 60_000;
/** Redis has been away for longer than a minute. */
const LONG_MS = 71_000;
const SHARE = { hasShare: true, returnedAt: -LONG_MS };
const ids = Array.from({ length: 8 }, (_, index) => `instance-${String(index)}`);

function fleetOf(id: string, known: readonly string[], hasShare = true): Fleet {
  const fleet = new Fleet(id, 0);
  fleet.report(0, 1, { hasShare, returnedAt: -LONG_MS }, known);
  return fleet;
}

describe('The shares of the reserve', () => {
  it('are the reserve, all together', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.nat(40), fc.uuid(), (count, reserve, key) => {
        const members = ids.slice(0, count);
        const shares = members.map((id) => fleetOf(id, members).shareWithoutRedis(key, 4 * reserve, 0));
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
            fleetOf(id, [...new Set([...members, ...(others[index] ?? [])])]).shareWithoutRedis(key, 4 * reserve, 0),
          );
          expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(reserve);
        },
      ),
    );
  });

  it('are nothing for an instance that Redis has not given one', () => {
    expect(new Fleet('one', 0).shareWithoutRedis('account', 120, 0)).toBe(0);
    expect(fleetOf('one', ['one'], false).shareWithoutRedis('account', 120, 0)).toBe(0);
  });

  it('grow a minute after an instance was last reported, and not while Redis was away', () => {
    const fleet = fleetOf('one', ['one', 'two']);
    fleet.report(10 * MINUTE_MS, 2, SHARE, ['one']);
    expect(fleet.shareWithoutRedis('account', 120, 10 * MINUTE_MS)).toBe(15);
    for (let at = 0; at <= MINUTE_MS + 1_000; at += 1_000) fleet.report(10 * MINUTE_MS + at, 3, SHARE, ['one']);
    expect(fleet.shareWithoutRedis('account', 120, 11 * MINUTE_MS + 1_000)).toBe(30);
  });

  it('are the whole minute from a minute after Redis was lost on, in which nothing leased is used', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 120 }), fc.uuid(), (count, limit, key) => {
        const members = ids.slice(0, count).map((id) => fleetOf(id, ids.slice(0, count)));
        const total = (at: number) => members.reduce((sum, fleet) => sum + fleet.shareWithoutRedis(key, limit, at), 0);
        expect([total(0), total(LONG_MS)]).toEqual([Math.floor(limit / 4), limit]);
      }),
    );
    const fleet = fleetOf('one', ['one']);
    expect([0, 5_000, LONG_MS].map((at) => fleet.mayUseTokens(at))).toEqual([true, false, false]);
  });

  it('are an eighth for an instance that started without Redis a minute ago', () => {
    expect(new Fleet('one', 0).shareWithoutRedis('account', 120, LONG_MS)).toBe(15);
  });

  it('leave a quarter to Redis for a minute after it was away for longer', () => {
    const fleet = fleetOf('one', ['one']);
    fleet.report(LONG_MS, 500, { hasShare: true, returnedAt: 500 }, ['one']);
    expect([fleet.withheldOf(120, LONG_MS), fleet.withheldOf(120, 2 * LONG_MS)]).toEqual([90, 0]);
    expect(fleet.shareWithoutRedis('account', 120, LONG_MS)).toBe(0);
  });
});
