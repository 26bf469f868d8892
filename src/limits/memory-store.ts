import { LocalWindows } from './local-windows.js';
import { SYSTEM_CLOCK } from './window-store.js';
import type { Admission, Budget, DaySeed, WindowClock, WindowStore } from './window-store.js';

/** Counts in this process's memory: exact for one process, and all that one process needs. */
export class MemoryWindowStore implements WindowStore {
  readonly state = 'memory';
  private readonly windows: LocalWindows;

  constructor(clock: WindowClock = SYSTEM_CLOCK) {
    this.windows = new LocalWindows(clock, 'memory');
  }

  admit(subject: string, budget: Budget, seed: DaySeed): Promise<Admission> {
    return this.windows.admit(subject, budget, seed, 0);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
