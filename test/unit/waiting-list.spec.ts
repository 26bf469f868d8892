import { WaitingList } from '../../src/domain/waiting-list.js';

describe('WaitingList', () => {
  it('removes a value once, whichever it is, and keeps the others', () => {
    const list = new WaitingList<string>();
    const [first, second, third] = ['a', 'b', 'c'].map((value) => list.add(value));
    expect(second?.()).toBe(true);
    expect(second?.()).toBe(false);
    expect([...list.values()].sort()).toEqual(['a', 'c']);
    expect(third?.()).toBe(true);
    expect(first?.()).toBe(true);
    expect(list.size).toBe(0);
  });

  it('removes equal values one by one', () => {
    const list = new WaitingList<string>();
    const removals = ['a', 'a', 'a'].map((value) => list.add(value));
    removals[0]?.();
    expect(list.values()).toEqual(['a', 'a']);
  });

  it('lets a loop over its values remove any of them', () => {
    const list = new WaitingList<() => void>();
    const called: number[] = [];
    const removals = [0, 1, 2].map((number) =>
      list.add(() => {
        called.push(number);
        for (const remove of removals) remove();
      }),
    );
    for (const call of list.values()) call();
    expect(called).toEqual([0, 1, 2]);
    expect(list.size).toBe(0);
  });
});
