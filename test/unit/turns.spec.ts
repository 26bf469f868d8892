import { setImmediate } from 'node:timers/promises';
import { Turns, type TurnRank } from '../../src/serve/access/keys/turns.js';

/** Starts works that end when the test says so. */
function begin(turns: Turns) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    start: (rank: TurnRank, name: string) =>
      turns.run(rank, () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      }),
    end: async (name: string) => {
      ends.get(name)?.();
      await setImmediate();
    },
  };
}

describe('Turns', () => {
  it('leave places to sign-ins and to known owners, however many others wait', async () => {
    const { begun, start, end } = begin(new Turns({ known: 3, sign_in: 2, other: 1 }));
    const all = [start('other', 'o1'), start('other', 'o2'), start('sign_in', 's1'), start('sign_in', 's2')];
    all.push(start('known', 'k1'));
    expect(begun).toEqual(['o1', 's1', 'k1']);
    await end('o1');
    expect(begun).toEqual(['o1', 's1', 'k1']);
    await end('s1');
    expect(begun).toEqual(['o1', 's1', 'k1', 's2']);
    await end('k1');
    expect(begun).toHaveLength(4);
    await end('s2');
    expect(begun).toEqual(['o1', 's1', 'k1', 's2', 'o2']);
    await end('o2');
    await Promise.all(all);
  });

  it('go to the highest rank first, and in order within a rank', async () => {
    const { begun, start, end } = begin(new Turns({ known: 1, sign_in: 1, other: 1 }));
    const all = [start('other', 'o1'), start('other', 'o2'), start('sign_in', 's1'), start('known', 'k1')];
    all.push(start('known', 'k2'));
    for (const name of ['o1', 'k1', 'k2', 's1', 'o2']) await end(name);
    expect(begun).toEqual(['o1', 'k1', 'k2', 's1', 'o2']);
    await Promise.all(all);
  });

  it('pass on when a work fails', async () => {
    const turns = new Turns({ known: 1, sign_in: 1, other: 1 });
    const failed = turns.run('other', () => Promise.reject(new Error('broken')));
    const next = turns.run('other', () => Promise.resolve('done'));
    await expect(failed).rejects.toThrow('broken');
    await expect(next).resolves.toBe('done');
  });
});
