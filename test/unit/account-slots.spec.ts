import { AccountSlots } from '../../src/serve/http/overload/account-slots.js';

describe('The slots of an account', () => {
  /** Begins this many computations for an account; returns those that have started, and ends them one by one. */
  const begin = (slots: AccountSlots, account: string, count: number) => {
    const ends: (() => void)[] = [];
    const work = () => new Promise<void>((resolve) => void ends.push(resolve));
    const all = Array.from({ length: count }, () => slots.run(account, work).catch(() => undefined));
    return { ends, all };
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('are eight, and a released one goes to the request that has waited longest', async () => {
    const slots = new AccountSlots();
    const { ends, all } = begin(slots, 'one', 10);
    await settled();
    expect(ends).toHaveLength(8);
    ends[0]?.();
    await all[0];
    await settled();
    expect(ends).toHaveLength(9);
    for (let at = 1; at < 10; at += 1) {
      ends[at]?.();
      await settled();
    }
    await Promise.all(all);
  });

  it('are separate for each account', async () => {
    const slots = new AccountSlots({ waitMs: 10 });
    begin(slots, 'one', 20);
    const { ends } = begin(slots, 'two', 8);
    await settled();
    expect(ends).toHaveLength(8);
  });

  it('are released by work that fails', async () => {
    const slots = new AccountSlots();
    for (let times = 0; times < 20; times += 1) {
      await expect(slots.run('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    }
    expect(await slots.run('one', () => Promise.resolve('yes'))).toBe('yes');
  });

  it('cause a 503 with retry-after when a request has waited too long', async () => {
    const slots = new AccountSlots({ waitMs: 10 });
    begin(slots, 'one', 8);
    await expect(slots.run('one', () => Promise.resolve())).rejects.toMatchObject({
      code: 'unavailable',
      details: { retryAfterSeconds: 1 },
    });
  });
});
