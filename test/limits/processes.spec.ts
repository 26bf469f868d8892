// runs: in full only
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { describeIf } from '../support/needs.js';
import { SHARED_URL, redisReachable } from './redis-servers.js';
import type { ChildProcess } from 'node:child_process';

const REPEATS = 20;

interface Outcome {
  readonly admitted: number;
}

async function said<Message>(child: ChildProcess): Promise<Message> {
  const [message] = (await once(child, 'message')) as [Message];
  return message;
}

describeIf(redisReachable, 'Redis is not reachable')('Processes that share Redis', () => {
  const contenders: ChildProcess[] = [];

  beforeAll(async () => {
    for (let count = 0; count < 3; count += 1) contenders.push(fork(join(__dirname, 'contender.mjs'), [SHARED_URL]));
    const ready = await Promise.all(contenders.map((child) => said<{ ready: boolean }>(child)));
    expect(ready).toEqual(contenders.map(() => ({ ready: true })));
  });

  afterAll(async () => {
    const gone = contenders.map((child) => once(child, 'exit'));
    for (const child of contenders) child.disconnect();
    await Promise.all(gone);
  });

  async function contend(perMinute: number, perDay: number): Promise<number> {
    const subject = `test-${randomUUID()}`;
    const requests = Math.ceil((10 * Math.min(perMinute, perDay)) / contenders.length);
    const answers = contenders.map((child) => said<Outcome>(child));
    for (const child of contenders) child.send({ subject, budget: { perMinute, perDay }, requests });
    const outcomes = await Promise.all(answers);
    return outcomes.reduce((sum, { admitted }) => sum + admitted, 0);
  }

  it.each([
    ['the minute of a Free account', 1, 400],
    ['the minute of a Pro account', 5, 5_000],
    ['the minute of an Intelligence account', 60, 20_000],
    ['a day', 60, 40],
  ])('admit together exactly %s', async (_window, perMinute, perDay) => {
    const admitted: number[] = [];
    while (admitted.length < REPEATS) admitted.push(await contend(perMinute, perDay));
    expect(admitted).toEqual(admitted.map(() => Math.min(perMinute, perDay)));
  });
});
