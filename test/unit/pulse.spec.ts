import { Pulse, type Beat } from '../../src/database/pulse.js';

const still = { everyMs: 60_000, monotonic: () => 0, onChange: () => undefined };

describe('The pulse', () => {
  it('says what was so when it was asked, also while an earlier question is on its way', async () => {
    let revision = 1;
    const answers: (() => void)[] = [];
    // The server looks when the question comes; its answer takes its time.
    const ask = () => {
      const beat: Beat = { revision, accessEpoch: 0 };
      return new Promise<Beat[]>((resolve) => answers.push(() => resolve([beat])));
    };
    const pulse = new Pulse({ ask: ask as never, close: () => undefined }, still);
    const before = pulse.ask();
    await settled();
    revision = 2;
    const after = [pulse.ask(), pulse.ask()];
    answers[0]?.();
    await before;
    expect(pulse.latest.revision).toBe(1);
    await settled();
    answers[1]?.();
    await Promise.all(after);
    expect(pulse.latest.revision).toBe(2);
    expect(answers).toHaveLength(2);
  });
});

const settled = () => new Promise((resolve) => setImmediate(resolve));
