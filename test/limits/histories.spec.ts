// runs: in full only
import fc from 'fast-check';
import { excessOf } from './history-run.js';
import { histories } from './histories.js';
import { redisInstalled } from './redis-servers.js';
import { describeIf } from '../support/needs.js';

/** `LIMIT_ROUNDS=10000`: one round is one account in one history. */
const ROUNDS = Number(process.env.LIMIT_ROUNDS ?? 60);
/** Shrinking is faster with few accounts in a history. */
const ACCOUNTS = Number(process.env.LIMIT_ACCOUNTS ?? Math.min(ROUNDS, 120));
/** A failure shrinks for this long at most. */
const WITHIN_MS = 1_000 * Number(process.env.LIMIT_SECONDS ?? 3_000);

jest.setTimeout(3_600_000);

describeIf(redisInstalled, 'redis-server is not installed')('Random histories', () => {
  it.each([
    ['admit no more than the limit in any minute while Redis is late', 'late'],
    [
      'admit at most 1.25 times the limit in any minute while Redis is away, and a quarter more for each loss of its memory',
      'away',
    ],
  ] as const)('%s', async (_promise, redis) => {
    let rounds = 0;
    await fc.assert(
      fc.asyncProperty(histories(ACCOUNTS, redis), async (history) => {
        rounds += history.accounts.length;
        expect(await excessOf(history)).toEqual([]);
      }),
      { numRuns: Math.ceil(ROUNDS / ACCOUNTS), interruptAfterTimeLimit: WITHIN_MS },
    );
    process.stderr.write(`${String(rounds)} rounds\n`);
    expect(rounds).toBeGreaterThan(0);
  });
});
